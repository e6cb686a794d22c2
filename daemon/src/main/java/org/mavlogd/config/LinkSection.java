package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mavlogd.config.LinkSection.Keys.LinkType;
import org.mavlogd.link.LinkSettings;

/** Sections {@code [[link]]}: connections to vehicles. */
final class LinkSection {
    /** Each link costs a thread and a ring. */
    static final int MAX_LINKS = 32;

    private static final Key<String> NAME =
            Keys.name("name of the link in messages, metrics and status; each name once");
    private static final Key<LinkType> TYPE = Keys.TYPE;
    private static final Key<HostPort> LISTEN = Keys.listen("udp, tcp: the local address to listen on");
    private static final Key<HostPort> CONNECT = Keys.connect("udp, tcp: the peer's address; mavlogd sends first");
    private static final Key<HostPort> BROADCAST = Key.withoutDefault(
            "broadcast",
            Keys.NO_ADDRESS,
            Keys.many(false, "a broadcast address, as in \"192.168.1.255:14550\""),
            "udp: the address to which frames are sent until a peer answers; then they go only to peers that answered, while they are heard");
    private static final Key<HostPort> MULTICAST = Key.withoutDefault(
            "multicast",
            Keys.NO_ADDRESS,
            Keys.many(true, "a group from 224.0.0.0 to 239.255.255.255 and a port, as in \"239.255.145.50:14550\""),
            "udp: the group to send to and to receive from; needs interface");
    private static final Key<String> INTERFACE = Key.string(
            "interface",
            "",
            ValueType.matching(
                    Pattern.compile("[A-Za-z0-9_.-]{0,15}"),
                    "the name of a network interface, up to 15 characters, as \"ip link\" shows it, or \"\""),
            "udp, tcp: use this network interface only; \"\" for all");
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
        List<Key<?>> own = List.of(
                NAME, TYPE, LISTEN, CONNECT, BROADCAST, MULTICAST, INTERFACE, RECVMMSG, DEVICE, BAUD, FLOW_CONTROL);
        return Stream.concat(own.stream(), ForwardSection.LINK_KEYS.stream()).toArray(Key<?>[]::new);
    }

    /** The value of its key; empty if that is missing. */
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
        checkOwnCalls(readers);
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
            case UDP -> udp(link, name);
            case TCP -> tcp(link, name);
            case SERIAL ->
                new LinkSettings.SerialPort(name, link.value(DEVICE), link.value(BAUD), link.value(FLOW_CONTROL));
        };
    }

    private void checkKeys(SectionReader link, LinkType type) {
        List<Key<?>> fitting = switch (type) {
            case UDP -> List.of(NAME, TYPE, LISTEN, CONNECT, BROADCAST, MULTICAST, INTERFACE, RECVMMSG);
            case TCP -> List.of(NAME, TYPE, LISTEN, CONNECT, INTERFACE);
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
        boolean isToMany = type == LinkType.UDP && (link.has(BROADCAST) || link.has(MULTICAST));
        if (isToMany) {
            checkToMany(link);
        } else if (type == LinkType.UDP && !link.has(LISTEN) && !link.has(CONNECT)) {
            link.missing("listen", "there is no address", "one of listen, connect, broadcast and multicast");
        } else {
            Keys.checkOneAddress(link, LISTEN, CONNECT);
        }
        checkEndpoint(link, LISTEN, type);
        checkEndpoint(link, CONNECT, type);
        checkEndpoint(link, BROADCAST, type);
        checkEndpoint(link, MULTICAST, type);
    }

    private static void checkToMany(SectionReader link) {
        Key<HostPort> first = link.has(BROADCAST) ? BROADCAST : MULTICAST;
        for (Key<HostPort> key : List.of(LISTEN, CONNECT, MULTICAST)) {
            if (link.has(key) && !key.equals(first)) {
                link.problem(key, first.name() + " is set, too", "one of listen, connect, broadcast and multicast");
            }
        }
        if (link.has(MULTICAST) && link.value(INTERFACE).isEmpty()) {
            link.missing("interface", "multicast needs it", INTERFACE.type().allowed());
        }
    }

    /**
     * Refuses to broadcast to a port on which another link listens: that link would receive mavlogd's own frames, and
     * mistake them for those of another sender.
     */
    private static void checkOwnCalls(List<SectionReader> links) {
        for (SectionReader calling : links) {
            for (SectionReader listening : links) {
                boolean isHeard = calling.hasGood(BROADCAST)
                        && listening.hasGood(LISTEN)
                        && listening.value(TYPE) == LinkType.UDP
                        && calling.value(BROADCAST).port()
                                == listening.value(LISTEN).port();
                if (isHeard) {
                    calling.problem(
                            BROADCAST,
                            "has the port that " + listening.name() + " listens on, which would hear it",
                            "a port that no link listens on");
                }
            }
        }
    }

    /** Refuses two links on one port or device, which would take each other's bytes. */
    private void checkEndpoint(SectionReader link, Key<?> key, LinkType type) {
        if (link.hasGood(key)) {
            String place = type == LinkType.SERIAL ? "" : ' ' + link.value(INTERFACE);
            String endpoint = type + " " + key.name() + ' ' + link.value(key) + place;
            checkUnique(link, key, endpoint, endpointsSeen);
        }
    }

    private static void checkUnique(SectionReader link, Key<?> key, String value, Map<String, String> seen) {
        String first = seen.putIfAbsent(value, link.name());
        if (first != null) {
            link.problem(key, "is the same as in " + first, "one that no other link has");
        }
    }

    private static LinkSettings udp(SectionReader link, String name) {
        boolean recvmmsg = link.value(RECVMMSG);
        String device = link.value(INTERFACE);
        if (link.has(MULTICAST)) {
            HostPort group = link.value(MULTICAST);
            return new LinkSettings.UdpMulticast(name, group.host(), group.port(), device);
        }
        if (link.has(BROADCAST)) {
            HostPort all = link.value(BROADCAST);
            return new LinkSettings.UdpBroadcast(name, all.host(), all.port(), recvmmsg, device);
        }
        HostPort address = link.value(link.has(LISTEN) ? LISTEN : CONNECT);
        return link.has(LISTEN)
                ? new LinkSettings.UdpListen(name, address.host(), address.port(), recvmmsg, device)
                : new LinkSettings.UdpConnect(name, address.host(), address.port(), recvmmsg, device);
    }

    private static LinkSettings tcp(SectionReader link, String name) {
        HostPort address = link.value(link.has(LISTEN) ? LISTEN : CONNECT);
        String device = link.value(INTERFACE);
        return link.has(LISTEN)
                ? new LinkSettings.TcpListen(name, address.host(), address.port(), device)
                : new LinkSettings.TcpConnect(name, address.host(), address.port(), device);
    }

    /** Keys for the kind of a link and the address of its peer; two sections have them. */
    static final class Keys {
        /** The kinds of links. */
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
        private static final int FIRST_GROUP = 224;
        private static final int AFTER_GROUPS = 240;
        private static final ValueType<Integer> BAUD = ValueType.range(1200, 4_000_000);

        private Keys() {}

        /** An IPv4 broadcast or multicast address and a port. */
        static ValueType<HostPort> many(boolean isMulticast, String allowed) {
            return ValueType.of(allowed, value -> {
                HostPort address = ADDRESS.read(value);
                if (!address.host().matches("[0-9.]+")) {
                    throw new ValueType.BadValueException(Quoted.text(address.host()) + " is not an IPv4 address");
                }
                int first = Integer.parseInt(
                        address.host().substring(0, address.host().indexOf('.')));
                boolean isGroup = first >= FIRST_GROUP && first < AFTER_GROUPS;
                if (isGroup != isMulticast) {
                    throw new ValueType.BadValueException(
                            Quoted.text(address.host()) + (isGroup ? " is" : " is not") + " a multicast address");
                }
                return address;
            });
        }

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

        /** Reports keys that do not apply to the type. */
        static void checkFitting(SectionReader link, Section section, LinkType type, List<Key<?>> fitting) {
            String allowed = String.join(", ", fitting.stream().map(Key::name).toList());
            for (Key<?> key : section.keys()) {
                boolean isOfAny = fitting.contains(key) || ForwardSection.LINK_KEYS.contains(key);
                if (link.has(key) && !isOfAny) {
                    String also =
                            section.keys().containsAll(ForwardSection.LINK_KEYS) ? ", and keys of forwarding" : "";
                    link.problem(key, "does not apply to type \"" + ValueType.word(type) + '"', allowed + also);
                }
            }
        }

        /** Reports if both addresses are set, or none. */
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

        /** The TCP link with the address that is set. */
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
