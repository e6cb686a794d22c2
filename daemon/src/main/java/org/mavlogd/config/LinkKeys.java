package org.mavlogd.config;

import java.util.List;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;

/** Keys that say what a link is made of, and where its far end is; two sections have them. */
final class LinkKeys {
    /** What a link is made of. */
    enum LinkType {
        UDP,
        TCP,
        SERIAL
    }

    static final Key<LinkType> TYPE = Key.withoutDefault(
            "type", LinkType.UDP, ValueTypes.oneOf(List.of(LinkType.values())), "what the link is made of");

    static final Key<String> DEVICE = Key.withoutDefault(
            "device",
            "",
            ValueTypes.ABSOLUTE_PATH,
            "serial: the port, best by its lasting name under /dev/serial/by-id");

    private static final ValueType<String> NAME =
            ValueTypes.matching(Pattern.compile("[A-Za-z0-9_-]{1,32}"), "1 to 32 letters, digits, \"_\" and \"-\"");
    private static final ValueType<HostPort> ADDRESS = ValueTypes.hostPort(1);
    private static final HostPort NO_ADDRESS = new HostPort("", 0);
    private static final ValueType<Integer> BAUD = ValueTypes.range(1200, 4_000_000);

    private LinkKeys() {}

    static Key<String> name(String why) {
        return Key.withoutDefault("name", "", NAME, why);
    }

    static Key<HostPort> listen(String why) {
        return Key.withoutDefault("listen", NO_ADDRESS, ADDRESS, why);
    }

    static Key<HostPort> connect(String why) {
        return Key.withoutDefault("connect", NO_ADDRESS, ADDRESS, why);
    }

    static Key<Integer> baud(int byDefault, String why) {
        return Key.integer("baud", byDefault, BAUD, why);
    }

    /** Tells of the keys that are there and do not fit the type. */
    static void checkFitting(SectionReader link, Section section, LinkType type, List<Key<?>> fitting) {
        String allowed = String.join(", ", fitting.stream().map(Key::name).toList());
        for (Key<?> key : section.keys()) {
            if (link.has(key) && !fitting.contains(key)) {
                link.problem(key, "does not apply to type \"" + ValueTypes.word(type) + '"', allowed);
            }
        }
    }

    /** Tells when there are two addresses, or none. */
    static void checkOneAddress(SectionReader link, Key<HostPort> listen, Key<HostPort> connect) {
        if (link.has(listen) && link.has(connect)) {
            link.problem(connect, "listen is set, too", "either listen or connect");
        } else if (!link.has(listen) && !link.has(connect)) {
            link.missing(
                    "listen",
                    "neither listen nor connect is set",
                    "either one, as " + listen.type().allowed());
        }
    }

    /** The TCP link with the one address that is set. */
    static LinkSettings tcp(SectionReader link, String name, Key<HostPort> listen, Key<HostPort> connect) {
        if (link.has(listen)) {
            HostPort local = link.value(listen);
            return new LinkSettings.TcpListen(name, local.host(), local.port());
        }
        HostPort remote = link.value(connect);
        return new LinkSettings.TcpConnect(name, remote.host(), remote.port());
    }
}
