package org.mavlogd.tools;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;

/** Where a simulated vehicle finds its recorder, as written on the command line. */
final class SimulationTarget {
    private static final String NAME = "simulate";
    private static final Pattern ADDRESS = Pattern.compile("(?<host>\\[[^\\]]+\\]|[^:\\[\\]]+):(?<port>\\d{1,5})");
    private static final Pattern DEVICE = Pattern.compile("(?<device>.+?)(:(?<baud>\\d{1,9}))?");
    private static final int DEFAULT_BAUD = 57_600;
    private static final int MAX_PORT = 65_535;

    private SimulationTarget() {}

    /** @throws IllegalArgumentException with a text for the user */
    static LinkSettings parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind) {
            case "udp" -> {
                Matcher address = match(ADDRESS, rest, text);
                yield new LinkSettings.UdpConnect(NAME, host(address), port(address, text), false);
            }
            case "tcp" -> {
                Matcher address = match(ADDRESS, rest, text);
                yield new LinkSettings.TcpConnect(NAME, host(address), port(address, text));
            }
            case "serial" -> serial(match(DEVICE, rest, text), text);
            default -> throw wrong(text);
        };
    }

    private static LinkSettings serial(Matcher device, String text) {
        String digits = device.group("baud");
        int baud = digits == null ? DEFAULT_BAUD : Integer.parseInt(digits);
        if (baud == 0) {
            throw wrong(text);
        }
        return new LinkSettings.SerialPort(NAME, device.group("device"), baud, false);
    }

    private static String host(Matcher address) {
        String host = address.group("host");
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int port(Matcher address, String text) {
        int port = Integer.parseInt(address.group("port"));
        if (port < 1 || port > MAX_PORT) {
            throw wrong(text);
        }
        return port;
    }

    private static Matcher match(Pattern pattern, String rest, String text) {
        Matcher matcher = pattern.matcher(rest);
        if (!matcher.matches()) {
            throw wrong(text);
        }
        return matcher;
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException("--to is '" + text
                + "', and must be udp:HOST:PORT, tcp:HOST:PORT (port 1 to 65535) or serial:DEVICE[:BAUD]");
    }
}
