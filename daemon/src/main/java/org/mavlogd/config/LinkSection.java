package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mavlogd.config.LinkSection.Keys.LinkType;
import org.mavlogd.link.LinkSettings;

/** Sections {@code [[link]]}: the ways to vehicles. */
final class LinkSection {
    /** Each link costs a thread and a ring. */
    static final int MAX_LINKS = 32;

    private static final Key<String> NAME =
            Keys.name("name of the link in messages, metrics and status; each name once");
    private static final Key<LinkType> TYPE = Keys.TYPE;
    private static final Key<HostPort> LISTEN = Keys.listen("udp, tcp: the local address to listen on");
    private static final Key<HostPort> CONNECT = Keys.connect("udp, tcp: the peer's address; mavlogd sends first");
    private static final Key<Boolean> RECVMMSG =
            Key.bool("recvmmsg", true, "udp: receive several datagrams with one system call; false where that fails");
    private static final Key<String> DEVICE = Keys.DEVICE;
    private static final Key<Integer> BAUD = Keys.baud(921_600, "serial: bits per second, as set in the autopilot");
    private static final Key<Boolean> FLOW_CONTROL =
            Key.bool("flow_control", false, "serial: RTS/CTS; true only when both wires are there");

    static final Section SECTION = Section.list("link", "one for each connection to vehicles", keys());

    private final Map<String, String> namesSeen = new HashMap<>();
    private final Map<String, String> endpointsSeen = new HashMap<>();

    private LinkSection() {}

    private static Key<?>[] keys() {
        List<Key<?>> own = List.of(NAME, TYPE, LISTEN, CONNECT, RECVMMSG, DEVICE, BAUD, FLOW_CONTROL);
        return Stream.concat(own.stream(), ForwardSection.LINK_KEYS.stream()).toArray(Key<?>[]::new);
    }

    /** As its key says; empty while that is missing. */
    static String name(SectionReader link) {
        return link.value(NAME);
    }

    static List<LinkSettings> read(Configuration config, List<SectionReader> readers) {
        LinkSection section = new LinkSection();
        if (config.isEmpty(SECTION)) {
            config.problems().missing(config.start(), "link", "there is no link", "1 to " + MAX_LINKS + " [[link]]");
        } else if (readers.size() > MAX_LINKS) {
            SectionReader first = readers.get(MAX_LINKS);
            first.excess("link", readers.size() + " links are too many", "1 to " + MAX_LINKS + " [[link]]");
        }
        List<LinkSettings> links = new ArrayList<>();
        for (SectionReader reader : readers) {
            links.add(section.read(reader));
        }
        return links;
    }

    private LinkSettings read(SectionReader link) {
        link.require(NAME);
        link.require(TYPE);
        if (link.hasGood(NAME)) {
            checkUnique(link, NAME, link.value(NAME), namesSeen);
        }
        String name = link.value(NAME);
        LinkType type = link.value(TYPE);
        if (link.hasGood(TYPE)) {
            checkKeys(link, type);
        }
        return switch (type) {
            case UDP ->
                link.has(LISTEN)
                        ? udpListen(name, link.value(LISTEN), link.value(RECVMMSG))
                        : udpConnect(name, link.value(CONNECT), link.value(RECVMMSG));
            case TCP -> Keys.tcp(link, name, LISTEN, CONNECT);
            case SERIAL ->
                new LinkSettings.SerialPort(name, link.value(DEVICE), link.value(BAUD), link.value(FLOW_CONTROL));
        };
    }

    private void checkKeys(SectionReader link, LinkType type) {
        List<Key<?>> fitting = switch (type) {
            case UDP -> List.of(NAME, TYPE, LISTEN, CONNECT, RECVMMSG);
            case TCP -> List.of(NAME, TYPE, LISTEN, CONNECT);
            case SERIAL -> List.of(NAME, TYPE, DEVICE, BAUD, FLOW_CONTROL);
        };
        Keys.checkFitting(link, SECTION, type, fitting);
        if (type == LinkType.SERIAL) {
            link.require(DEVICE);
            checkEndpoint(link, DEVICE, type);
        } else {
            checkAddress(link, type);
        }
    }

    private void checkAddress(SectionReader link, LinkType type) {
        Keys.checkOneAddress(link, LISTEN, CONNECT);
        checkEndpoint(link, LISTEN, type);
        checkEndpoint(link, CONNECT, type);
    }

    /** Two links on one port or device would take each other's bytes. */
    private void checkEndpoint(SectionReader link, Key<?> key, LinkType type) {
        if (link.hasGood(key)) {
            String endpoint = type + " " + key.name() + ' ' + link.value(key);
            checkUnique(link, key, endpoint, endpointsSeen);
        }
    }

    private static void checkUnique(SectionReader link, Key<?> key, String value, Map<String, String> seen) {
        String first = seen.putIfAbsent(value, link.name());
        if (first != null) {
            link.problem(key, "is the same as in " + first, "one that no other link has");
        }
    }

    private static LinkSettings udpListen(String name, HostPort address, boolean recvmmsg) {
        return new LinkSettings.UdpListen(name, address.host(), address.port(), recvmmsg);
    }

    private static LinkSettings udpConnect(String name, HostPort address, boolean recvmmsg) {
        return new LinkSettings.UdpConnect(name, address.host(), address.port(), recvmmsg);
    }

    /** Keys that say what a link is made of, and where its peer is; two sections have them. */
    static final class Keys {
        /** What a link is made of. */
        enum LinkType {
            UDP,
            TCP,
            SERIAL
        }

        static final Key<LinkType> TYPE =
                Key.withoutDefault("type", LinkType.UDP, ValueType.oneOf(List.of(LinkType.values())), "kind of link");

        static final Key<String> DEVICE = Key.withoutDefault(
                "device",
                "",
                ValueType.ABSOLUTE_PATH,
                "serial: the port, preferably by its stable name under /dev/serial/by-id");

        private static final ValueType<String> NAME =
                ValueType.matching(Pattern.compile("[A-Za-z0-9_-]{1,32}"), "1 to 32 letters, digits, \"_\" and \"-\"");
        private static final ValueType<HostPort> ADDRESS = ValueType.hostPort(1);
        private static final HostPort NO_ADDRESS = new HostPort("", 0);
        private static final ValueType<Integer> BAUD = ValueType.range(1200, 4_000_000);

        private Keys() {}

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
                boolean isOfAny = fitting.contains(key) || ForwardSection.LINK_KEYS.contains(key);
                if (link.has(key) && !isOfAny) {
                    link.problem(key, "does not apply to type \"" + ValueType.word(type) + '"', allowed);
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
}
