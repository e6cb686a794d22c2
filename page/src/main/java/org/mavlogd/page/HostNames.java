package org.mavlogd.page;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks the Host header. A foreign web page may point its own name at this computer's address and have the user's
 * browser send us requests (DNS rebinding); then the header has that name, and we do not answer.
 */
final class HostNames {
    private final Set<String> names = new HashSet<>(Set.of("localhost"));

    /**
     * @param listenHost address on which the page is served
     * @param computer name of this computer
     * @param configured further names
     */
    HostNames(String listenHost, String computer, List<String> configured) {
        names.add(normal(listenHost));
        if (!computer.isEmpty()) {
            String name = normal(computer);
            names.add(name);
            names.add(name.replaceFirst("\\..*", "") + ".local");
        }
        configured.forEach(name -> names.add(normal(name)));
    }

    /** @param arrivedOn our address at which the request arrived */
    boolean isOurs(String header, String arrivedOn) {
        String host = normal(withoutPort(header.strip()));
        if (host.isEmpty()) {
            return false;
        }
        // Only literals: the header is never looked up.
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal == null) {
            return names.contains(host);
        }
        byte[] ours = NetUtil.createByteArrayFromIpAddressString(arrivedOn);
        InetAddress address = address(literal);
        return address.isLoopbackAddress() || (ours != null && address.equals(address(ours)));
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address of " + bytes.length + " bytes", e);
        }
    }

    private static String withoutPort(String header) {
        int end = header.startsWith("[") ? header.indexOf(']') + 1 : header.indexOf(':');
        String port = end < 0 ? "" : header.substring(end);
        return port.matches("(:[0-9]{0,5})?") ? header.substring(0, header.length() - port.length()) : "";
    }

    private static String normal(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        String lower = bare.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
