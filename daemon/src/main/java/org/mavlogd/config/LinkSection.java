package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;

/** Sections {@code [[link]]}: the ways to vehicles. */
final class LinkSection {
    /** Each link costs a thread and a ring. */
    static final int MAX_LINKS = 32;

    /** What a link is made of. */
    private enum Type {
        UDP,
        TCP,
        SERIAL
    }

    private static final HostPort NO_ADDRESS = new HostPort("", 0);

    private static final Key<String> NAME = Key.withoutDefault(
            "name",
            "",
            ValueTypes.matching(Pattern.compile("[A-Za-z0-9_-]{1,32}"), "1 to 32 letters, digits, \"_\" and \"-\""),
            "how the link is called in messages, metrics and status; each name once");
    private static final Key<Type> TYPE =
            Key.withoutDefault("type", Type.UDP, ValueTypes.oneOf(List.of(Type.values())), "what the link is made of");
    private static final Key<HostPort> LISTEN = Key.withoutDefault(
            "listen", NO_ADDRESS, ValueTypes.hostPort(1), "udp, tcp: the local address to wait on for the far end");
    private static final Key<HostPort> CONNECT = Key.withoutDefault(
            "connect", NO_ADDRESS, ValueTypes.hostPort(1), "udp, tcp: the far end's address, which hears us first");
    private static final Key<Boolean> RECVMMSG =
            Key.bool("recvmmsg", true, "udp: take several datagrams with one system call; false where that fails");
    private static final Key<String> DEVICE = Key.withoutDefault(
            "device",
            "",
            ValueTypes.ABSOLUTE_PATH,
            "serial: the port, best by its lasting name under /dev/serial/by-id");
    private static final Key<Integer> BAUD = Key.integer(
            "baud", 921_600, ValueTypes.range(1200, 4_000_000), "serial: bits per second, as set in the autopilot");
    private static final Key<Boolean> FLOW_CONTROL =
            Key.bool("flow_control", false, "serial: RTS/CTS; true only when both wires are there");

    static final Section SECTION = Section.list(
            "link", "one for each way to vehicles", NAME, TYPE, LISTEN, CONNECT, RECVMMSG, DEVICE, BAUD, FLOW_CONTROL);

    private final Map<String, String> namesSeen = new HashMap<>();
    private final Map<String, String> endpointsSeen = new HashMap<>();

    private LinkSection() {}

    static List<LinkSettings> read(ConfigFile file) {
        LinkSection section = new LinkSection();
        List<SectionReader> readers = file.list(SECTION);
        if (file.isEmpty(SECTION)) {
            file.problems().missing(file.start(), "link", "there is no link", "1 to " + MAX_LINKS + " [[link]]");
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
        Type type = link.value(TYPE);
        if (link.hasGood(TYPE)) {
            checkKeys(link, type);
        }
        return switch (type) {
            case UDP ->
                link.has(LISTEN)
                        ? udpListen(name, link.value(LISTEN), link.value(RECVMMSG))
                        : udpConnect(name, link.value(CONNECT), link.value(RECVMMSG));
            case TCP -> link.has(LISTEN) ? tcpListen(name, link.value(LISTEN)) : tcpConnect(name, link.value(CONNECT));
            case SERIAL ->
                new LinkSettings.SerialPort(name, link.value(DEVICE), link.value(BAUD), link.value(FLOW_CONTROL));
        };
    }

    private void checkKeys(SectionReader link, Type type) {
        List<Key<?>> fitting = switch (type) {
            case UDP -> List.of(NAME, TYPE, LISTEN, CONNECT, RECVMMSG);
            case TCP -> List.of(NAME, TYPE, LISTEN, CONNECT);
            case SERIAL -> List.of(NAME, TYPE, DEVICE, BAUD, FLOW_CONTROL);
        };
        String allowed = String.join(", ", fitting.stream().map(Key::name).toList());
        for (Key<?> key : SECTION.keys()) {
            if (link.has(key) && !fitting.contains(key)) {
                link.problem(key, "does not apply to type \"" + ValueTypes.word(type) + '"', allowed);
            }
        }
        if (type == Type.SERIAL) {
            link.require(DEVICE);
            checkEndpoint(link, DEVICE, type);
        } else {
            checkAddress(link, type);
        }
    }

    private void checkAddress(SectionReader link, Type type) {
        if (link.has(LISTEN) && link.has(CONNECT)) {
            link.problem(CONNECT, "listen is set, too", "either listen or connect");
        } else if (!link.has(LISTEN) && !link.has(CONNECT)) {
            link.missing(
                    "listen",
                    "neither listen nor connect is set",
                    "either one, as " + LISTEN.type().allowed());
        }
        checkEndpoint(link, LISTEN, type);
        checkEndpoint(link, CONNECT, type);
    }

    /** Two links on one port or device would take each other's bytes. */
    private void checkEndpoint(SectionReader link, Key<?> key, Type type) {
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

    private static LinkSettings tcpListen(String name, HostPort address) {
        return new LinkSettings.TcpListen(name, address.host(), address.port());
    }

    private static LinkSettings tcpConnect(String name, HostPort address) {
        return new LinkSettings.TcpConnect(name, address.host(), address.port());
    }
}
