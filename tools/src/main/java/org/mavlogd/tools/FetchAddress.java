package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.mavlogd.link.LinkSettings;

/** The link of {@code mavlogd fetch}: a configured one by its name, or an address. */
final class FetchAddress {
    private static final String LISTEN = "udp-listen:";
    private static final String NAME = "fetch";
    private static final String OPTION = "--link";

    private FetchAddress() {}

    /** Whether it is an address, which needs no configuration. */
    static boolean isAddress(String text) {
        return text.indexOf(':') >= 0;
    }

    /** @throws IllegalArgumentException with a text for the user */
    static LinkSettings parse(String text) {
        return parse(OPTION, text, NAME);
    }

    /**
     * Parses the value of another option.
     *
     * @param name of the link
     */
    static LinkSettings parse(String option, String text, String name) {
        try {
            if (text.startsWith(LISTEN)) {
                LinkSettings.UdpConnect address = (LinkSettings.UdpConnect)
                        SimulationOptions.Target.parse("udp:" + text.substring(LISTEN.length()));
                return new LinkSettings.UdpListen(name, address.host(), address.port(), true);
            }
            return named(SimulationOptions.Target.parse(text), name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    option + " is '" + text + "', and must be "
                            + (option.equals(OPTION) ? "a link's name" : "a device such as /dev/ttyAMA0, udp:PORT")
                            + ", udp-listen:HOST:PORT, udp:HOST:PORT, tcp:HOST:PORT (port 1 to 65535) or"
                            + " serial:DEVICE[:BAUD]",
                    e);
        }
    }

    private static LinkSettings named(LinkSettings link, String name) {
        if (link instanceof LinkSettings.UdpConnect udp) {
            return new LinkSettings.UdpConnect(name, udp.host(), udp.port(), true);
        }
        if (link instanceof LinkSettings.TcpConnect tcp) {
            return new LinkSettings.TcpConnect(name, tcp.host(), tcp.port());
        }
        if (link instanceof LinkSettings.SerialPort serial) {
            return new LinkSettings.SerialPort(name, serial.device(), serial.baud(), serial.flowControl());
        }
        throw new IllegalArgumentException(text(link));
    }

    private static String text(LinkSettings link) {
        return "unknown kind of link: " + link;
    }

    /**
     * The link with this name, or the only one.
     *
     * @param name empty for the only one
     * @throws IllegalArgumentException with a text for the user
     */
    static LinkSettings among(List<LinkSettings> links, String name) {
        List<String> names = links.stream().map(LinkSettings::name).toList();
        if (name.isEmpty() && links.size() == 1) {
            return links.get(0);
        }
        return links.stream()
                .filter(link -> link.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        (name.isEmpty() ? "--link is missing" : "there is no link '" + name + "'")
                                + ": the configuration has " + String.join(", ", names)));
    }

    /** The link that conflicts with the chosen one: only one program at a time can use it. */
    static Optional<LinkSettings> taken(List<LinkSettings> links, LinkSettings chosen) {
        return links.stream().filter(link -> isSame(link, chosen)).findFirst();
    }

    private static boolean isSame(LinkSettings one, LinkSettings other) {
        if (one instanceof LinkSettings.SerialPort port && other instanceof LinkSettings.SerialPort otherPort) {
            return device(port).equals(device(otherPort));
        }
        if (one instanceof LinkSettings.UdpListen listen && other instanceof LinkSettings.UdpListen otherListen) {
            return listen.port() == otherListen.port();
        }
        boolean isShared = one instanceof LinkSettings.UdpConnect || one instanceof LinkSettings.TcpConnect;
        return !isShared && one.equals(other);
    }

    /** The real path of a device, which may have several names. */
    private static Path device(LinkSettings.SerialPort port) {
        Path path = Path.of(port.device());
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path; // it does not exist now
        }
    }
}
