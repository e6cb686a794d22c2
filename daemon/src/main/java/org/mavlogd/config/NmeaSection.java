package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.mavlogd.config.LinkSection.Keys.LinkType;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.nmea.NmeaSource;

/** Sections {@code [[nmea]]}: links to instruments, which are only listened to. */
final class NmeaSection {
    private static final Key<String> NAME = LinkSection.Keys.name(
            "name of the link in messages and metrics; each name once, those of [[link]] included");
    private static final Key<LinkType> TYPE = LinkSection.Keys.TYPE;
    private static final Key<HostPort> LISTEN =
            LinkSection.Keys.listen("udp, tcp: the local address that the instruments send to");
    private static final Key<HostPort> CONNECT =
            LinkSection.Keys.connect("tcp: the address of the instruments' server");
    private static final Key<String> DEVICE = LinkSection.Keys.DEVICE;
    private static final Key<Integer> BAUD =
            LinkSection.Keys.baud(4800, "serial: bits per second; fast instruments use 38400");
    private static final Key<Boolean> REQUIRE_CHECKSUM = Key.bool(
            "require_checksum", false, "drop sentences without checksum; those with a wrong one are always dropped");

    static final Section SECTION = Section.list(
            "nmea", "instruments that speak NMEA 0183", NAME, TYPE, LISTEN, CONNECT, DEVICE, BAUD, REQUIRE_CHECKSUM);

    private NmeaSection() {}

    static List<LocalSettings.LinkedSource<NmeaSource.Settings>> read(Configuration config, List<LinkSettings> links) {
        List<SectionReader> readers = config.list(SECTION);
        if (readers.size() > NmeaSource.Settings.MAX_LINKS) {
            readers.get(NmeaSource.Settings.MAX_LINKS)
                    .excess(
                            "nmea",
                            readers.size() + " are too many",
                            "up to " + NmeaSource.Settings.MAX_LINKS + " " + SECTION.header());
        }
        Set<String> names = new HashSet<>(Set.of(LocalSettings.GpsdSection.LINK));
        Set<String> endpoints = new HashSet<>();
        for (LinkSettings link : links) {
            names.add(link.name());
            endpoints.add(endpoint(link));
        }
        List<LocalSettings.LinkedSource<NmeaSource.Settings>> instruments = new ArrayList<>();
        for (SectionReader reader : readers) {
            instruments.add(read(reader, instruments.size(), names, endpoints));
        }
        return instruments;
    }

    private static LocalSettings.LinkedSource<NmeaSource.Settings> read(
            SectionReader section, int number, Set<String> names, Set<String> endpoints) {
        section.require(NAME);
        section.require(TYPE);
        if (section.hasGood(NAME) && !names.add(section.value(NAME))) {
            section.problem(NAME, "is taken by another link", "one that no other link has");
        }
        LinkType type = section.value(TYPE);
        if (section.hasGood(TYPE)) {
            checkKeys(section, type);
        }
        LinkSettings link = link(section, type);
        Key<?> place = type == LinkType.SERIAL ? DEVICE : section.has(LISTEN) ? LISTEN : CONNECT;
        if (section.hasGood(place) && !endpoints.add(endpoint(link))) {
            section.problem(place, "is taken by another link", "one that no other link has");
        }
        return new LocalSettings.LinkedSource<>(
                List.of(link), new NmeaSource.Settings(link.name(), number, section.value(REQUIRE_CHECKSUM)));
    }

    private static void checkKeys(SectionReader section, LinkType type) {
        List<Key<?>> fitting = switch (type) {
            case UDP -> List.of(NAME, TYPE, REQUIRE_CHECKSUM, LISTEN);
            case TCP -> List.of(NAME, TYPE, REQUIRE_CHECKSUM, LISTEN, CONNECT);
            case SERIAL -> List.of(NAME, TYPE, REQUIRE_CHECKSUM, DEVICE, BAUD);
        };
        LinkSection.Keys.checkFitting(section, SECTION, type, fitting);
        switch (type) {
            case UDP -> section.require(LISTEN);
            case SERIAL -> section.require(DEVICE);
            case TCP -> LinkSection.Keys.checkOneAddress(section, LISTEN, CONNECT);
        }
    }

    private static LinkSettings link(SectionReader section, LinkType type) {
        String name = section.value(NAME);
        HostPort listen = section.value(LISTEN);
        return switch (type) {
            case UDP -> new LinkSettings.UdpListen(name, listen.host(), listen.port(), true);
            case TCP -> LinkSection.Keys.tcp(section, name, LISTEN, CONNECT);
            case SERIAL -> new LinkSettings.SerialPort(name, section.value(DEVICE), section.value(BAUD), false);
        };
    }

    /** A text that is equal for two links that would take each other's bytes. */
    private static String endpoint(LinkSettings link) {
        if (link instanceof LinkSettings.UdpListen udp) {
            return "udp listen " + new HostPort(udp.host(), udp.port());
        }
        if (link instanceof LinkSettings.TcpListen tcp) {
            return "tcp listen " + new HostPort(tcp.host(), tcp.port());
        }
        if (link instanceof LinkSettings.TcpConnect tcp) {
            return "tcp connect " + new HostPort(tcp.host(), tcp.port());
        }
        if (link instanceof LinkSettings.SerialPort serial) {
            return "serial " + serial.device();
        }
        return "link " + link.name();
    }
}
