package org.mavlogd.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.syslog.SyslogSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/** Section {@code [syslog]}: texts that other programs of this computer send. */
final class SyslogSection {
    private static final int MAX_PROGRAMS = 64;
    private static final Pattern PROGRAM = Pattern.compile("[!-~]{1,48}"); // APP-NAME of RFC 5424

    private static final Key<Optional<HostPort>> LISTEN = Key.withDefault(
            "listen",
            Optional.empty(),
            "\"\"",
            SocketKeys.LOOPBACK,
            "the UDP address that programs send to, such as \"127.0.0.1:5514\"");
    private static final Key<Optional<String>> SOCKET = Key.withDefault(
            "socket",
            Optional.empty(),
            "\"\"",
            SocketKeys.PATH,
            "the Unix datagram socket that programs send to; its directory must be there");
    private static final Key<String> MODE =
            Key.string("mode", "0660", SocketKeys.MODE, "permissions of the socket: who may write to it may send");
    private static final Key<String> GROUP = Key.string(
            "group", "", SocketKeys.GROUP, "group of the socket; \"\" leaves it to the group that mavlogd runs as");
    private static final Key<Map<String, String>> TAGS = Key.withDefault(
            "tags",
            Map.of(),
            "{}",
            ValueTypes.tableOf(
                    PROGRAM.asMatchPredicate(),
                    ValueTypes.STRING,
                    MAX_PROGRAMS,
                    "a table of up to " + MAX_PROGRAMS + " names of programs or facilities and tags"),
            "the tag of each program's texts, or of a facility such as \"local0\" for programs without entry");
    private static final Key<String> OTHER_TAG = Key.string(
            "other_tag",
            TagMap.UNASSIGNED,
            ValueTypes.TAG_OR_EMPTY,
            "the tag of the texts of all others; \"\" leaves them out");
    private static final Key<LogLevel> LEVEL =
            Key.choice("level", LogLevel.INFO, List.of(LogLevel.values()), "how grave a message must be");

    static final Section SECTION = Section.table(
            "syslog", "texts that other programs send", LISTEN, SOCKET, MODE, GROUP, TAGS, OTHER_TAG, LEVEL);

    private SyslogSection() {}

    static LinkedSource<SyslogSettings> read(SectionReader section, TagMap tags) {
        Map<String, Integer> numbers = TagsSection.numbers(section, TAGS, tags);
        OptionalInt other = TagsSection.number(section, OTHER_TAG, section.value(OTHER_TAG), tags);
        return new LinkedSource<>(sockets(section), new SyslogSettings(numbers, other, section.value(LEVEL)));
    }

    // With a dot in their names: no link of the configuration can be called so.
    private static List<LinkSettings> sockets(SectionReader section) {
        List<LinkSettings> sockets = new ArrayList<>();
        section.value(LISTEN)
                .ifPresent(address ->
                        sockets.add(new LinkSettings.UdpListen("syslog.udp", address.host(), address.port(), true)));
        section.value(SOCKET)
                .ifPresent(path -> sockets.add(new LinkSettings.UnixDatagram(
                        "syslog.unix", path, SocketKeys.mode(section.value(MODE)), section.value(GROUP))));
        return sockets;
    }
}
