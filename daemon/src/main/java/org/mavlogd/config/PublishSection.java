package org.mavlogd.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.publish.PublishSettings;

/** Section {@code [publish]}, and the topics of {@code [[topic]]}: what other programs of this computer publish. */
final class PublishSection {
    private static final int MEBI = 1 << 20;
    private static final String DEFAULT_SOCKET = "/run/mavlogd/publish.sock";
    private static final String DEFAULT_MODE = "0660";

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", true, "take samples and texts that other programs publish");
    private static final Key<Optional<String>> SOCKET = Key.withDefault(
            "socket",
            Optional.of(DEFAULT_SOCKET),
            '"' + DEFAULT_SOCKET + '"',
            SocketKeys.PATH,
            "the Unix datagram socket that programs send to; its directory must be there");
    private static final Key<String> MODE = Key.string(
            "mode", DEFAULT_MODE, SocketKeys.MODE, "permissions of the socket: who may write to it may publish");
    private static final Key<String> GROUP = Key.string(
            "group", "", SocketKeys.GROUP, "group of the socket; \"\" leaves it to the group that mavlogd runs as");
    private static final Key<Optional<HostPort>> UDP = Key.withDefault(
            "udp",
            Optional.empty(),
            "\"\"",
            SocketKeys.LOOPBACK,
            "a loopback address that takes the same over UDP, from any user of this computer");
    private static final Key<Boolean> INFER =
            Key.bool("infer", true, "take topics that nobody declared, with the types of their first sample");
    private static final Key<Integer> RING_MIB = Key.integer(
            "ring_mib",
            1,
            ValueTypes.powerOfTwo(1, 64),
            "MiB for each socket that hold what the disk does not take at once");

    static final Section SECTION =
            Section.table("publish", "what other programs publish", ENABLED, SOCKET, MODE, GROUP, UDP, INFER, RING_MIB);

    private PublishSection() {}

    static LinkedSource<PublishSettings> read(ConfigFile file) {
        SectionReader section = file.table(SECTION);
        return new LinkedSource<>(
                section.value(ENABLED) ? sockets(section) : List.of(),
                new PublishSettings(section.value(INFER), section.value(RING_MIB) * MEBI, TopicSection.read(file)));
    }

    // With a dot in their names: no link of the configuration can be called so.
    private static List<LinkSettings> sockets(SectionReader section) {
        List<LinkSettings> sockets = new ArrayList<>();
        section.value(SOCKET)
                .ifPresent(path -> sockets.add(new LinkSettings.UnixDatagram(
                        "publish.unix", path, SocketKeys.mode(section.value(MODE)), section.value(GROUP))));
        section.value(UDP)
                .ifPresent(address ->
                        sockets.add(new LinkSettings.UdpListen("publish.udp", address.host(), address.port(), true)));
        return sockets;
    }
}
