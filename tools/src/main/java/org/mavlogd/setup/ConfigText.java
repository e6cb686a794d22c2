package org.mavlogd.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mavlogd.link.LinkSettings;

/** The text of a short configuration: one link, and the log directory if it is not the default. */
public final class ConfigText {
    private static final String DEFAULT_DIRECTORY = "/var/lib/mavlogd/logs";
    /** Place of the schema installed by the packages and scripts/install; editors complete and check keys with it. */
    private static final String SCHEMA = "#:schema /usr/share/mavlogd/mavlogd.schema.json";

    private ConfigText() {}

    /**
     * Returns the text of the file.
     *
     * @param vehicle received on the link
     */
    public static String of(LinkSettings link, String logDirectory, Optional<Vehicle> vehicle) {
        List<String> lines = new ArrayList<>(List.of(
                SCHEMA,
                "# Written by \"mavlogd init\". All keys with their defaults and reasons: /usr/share/doc/mavlogd/mavlogd.toml",
                ""));
        if (!logDirectory.equals(DEFAULT_DIRECTORY)) {
            lines.addAll(List.of("[log]", "directory = " + quoted(logDirectory), ""));
        }
        vehicle.ifPresent(heard -> lines.add("# " + heard.text() + " was heard here."));
        lines.add("[[link]]");
        lines.add("name = " + quoted(link.name()));
        lines.addAll(keys(link));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> keys(LinkSettings link) {
        if (link instanceof LinkSettings.SerialPort serial) {
            return List.of("type = \"serial\"", "device = " + quoted(serial.device()), "baud = " + serial.baud());
        }
        if (link instanceof LinkSettings.UdpListen udp) {
            return List.of("type = \"udp\"", "listen = " + address(udp.host(), udp.port()));
        }
        if (link instanceof LinkSettings.UdpConnect udp) {
            return List.of("type = \"udp\"", "connect = " + address(udp.host(), udp.port()));
        }
        if (link instanceof LinkSettings.TcpConnect tcp) {
            return List.of("type = \"tcp\"", "connect = " + address(tcp.host(), tcp.port()));
        }
        throw new IllegalArgumentException("no link of a vehicle: " + link);
    }

    private static String address(String host, int port) {
        return quoted((host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    /** Quotes a text as a basic string of TOML. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            boolean isPlain = c >= ' ' && c != '"' && c != '\\' && c != 0x7F;
            quoted.append(isPlain ? String.valueOf((char) c) : String.format(Locale.ROOT, "\\u%04x", c));
        });
        return quoted.append('"').toString();
    }
}
