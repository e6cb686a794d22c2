package org.mavlogd.control;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;

/**
 * Judges the Host header. A web page somewhere may point a name of its own at this computer's address and have the
 * user's browser ask us (DNS rebinding); then the Host header carries that name, and we do not answer.
 */
final class HostCheck {
    private static final String LOCALHOST = "localhost";

    private final String listenHost;

    HostCheck(String listenHost) {
        this.listenHost = normal(listenHost);
    }

    /**
     * Whether the request was meant for us: by a loopback name or address, by the name that we were told to listen on,
     * or by the very address that it came in on.
     */
    boolean isOurs(String hostHeader, InetAddress arrivedOn) {
        String host = normal(withoutPort(hostHeader.strip()));
        if (host.equals(LOCALHOST) || (!host.isEmpty() && host.equals(listenHost))) {
            return true;
        }
        // Literals only: the header is never looked up.
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal == null) {
            return false;
        }
        InetAddress address = address(literal);
        return address.isLoopbackAddress() || address.equals(arrivedOn);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException("address of " + bytes.length + " bytes", e);
        }
    }

    private static String withoutPort(String header) {
        int end = header.startsWith("[") ? header.indexOf(']') + 1 : header.indexOf(':');
        String port = end < 0 ? "" : header.substring(end);
        boolean wellFormed =
                port.isEmpty() || (port.startsWith(":") && port.length() <= 6 && isDigits(port.substring(1)));
        return wellFormed ? header.substring(0, header.length() - port.length()) : "";
    }

    private static boolean isDigits(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static String normal(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String lower = bare.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
