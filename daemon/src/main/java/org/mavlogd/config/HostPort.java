package org.mavlogd.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A host and a port, as in {@code 127.0.0.1:14550}, {@code router.local:5760} or {@code [::1]:9650}.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets; names are not resolved here
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_HOST_LENGTH = 253; // RFC 1035, section 2.3.4, in text form
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,5}");
    private static final Pattern DOTTED_NUMBER = Pattern.compile("[0-9.]+");
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    // RFC 1123 does not allow underscores in host names, but container networks use them.
    private static final Pattern NAME = Pattern.compile(
            "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*");
    private static final Pattern ZONE = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    static HostPort parse(String text, int minPort) throws ValueType.BadValueException {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new ValueType.BadValueException(Quoted.text(text) + " has no port");
        }
        return new HostPort(
                parseHost(text, text.substring(0, colon)), parsePort(text, text.substring(colon + 1), minPort));
    }

    private static String parseHost(String text, String host) throws ValueType.BadValueException {
        if (host.isEmpty()) {
            throw new ValueType.BadValueException(
                    Quoted.text(text) + " has no host (0.0.0.0 listens on all addresses)");
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            return parseIpv6(text, host.substring(1, host.length() - 1));
        }
        if (host.indexOf(':') >= 0) {
            throw new ValueType.BadValueException(
                    Quoted.text(text) + ": an IPv6 address needs brackets, as in \"[::1]:9650\"");
        }
        Pattern shape = DOTTED_NUMBER.matcher(host).matches() ? IPV4 : NAME;
        if (host.length() > MAX_HOST_LENGTH || !shape.matcher(host).matches()) {
            throw new ValueType.BadValueException(Quoted.text(host) + " is neither an address nor a host name");
        }
        return host;
    }

    private static String parseIpv6(String text, String host) throws ValueType.BadValueException {
        int percent = host.indexOf('%');
        String address = percent < 0 ? host : host.substring(0, percent);
        if (address.indexOf(':') < 0
                || (percent >= 0 && !ZONE.matcher(host.substring(percent + 1)).matches())) {
            throw new ValueType.BadValueException(Quoted.text(text) + ": not an IPv6 address between the brackets");
        }
        try {
            // In brackets it is parsed as a literal only: no name is resolved.
            InetAddress.getByName('[' + address + ']');
        } catch (UnknownHostException e) {
            throw new ValueType.BadValueException(Quoted.text(text) + ": not an IPv6 address between the brackets", e);
        }
        return host;
    }

    private static int parsePort(String text, String port, int minPort) throws ValueType.BadValueException {
        if (!DECIMAL.matcher(port).matches()) {
            throw new ValueType.BadValueException(Quoted.text(text) + ": the port is not a number");
        }
        int number = Integer.parseInt(port);
        if (number < minPort || number > MAX_PORT) {
            throw new ValueType.BadValueException(
                    "port " + number + " is out of range (" + minPort + " to " + MAX_PORT + ")");
        }
        return number;
    }

    /** The form in the file. */
    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
