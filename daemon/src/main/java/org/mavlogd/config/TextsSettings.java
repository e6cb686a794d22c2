package org.mavlogd.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.link.LinkSettings;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.journal.JournalSource;
import org.mavlogd.local.syslog.SyslogSource;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Settings of tagged messages: sections {@code [tags]}, {@code [events]}, {@code [journal]} and {@code [syslog]}.
 *
 * @param events minimum severity of mavlogd's own messages; empty if they are not recorded
 * @param journal empty if it is not read
 */
public record TextsSettings(
        TextOutlet.Settings tags,
        Optional<LogLevel> events,
        Optional<JournalSource.Settings> journal,
        LocalSettings.LinkedSource<SyslogSource.Settings> syslog) {
    static TextsSettings read(Configuration config) {
        TextOutlet.Settings tags = TagsSection.read(config.table(TagsSection.SECTION));
        return new TextsSettings(
                tags,
                EventsSection.read(config.table(EventsSection.SECTION)),
                JournalSection.read(config.table(JournalSection.SECTION), tags.tags()),
                SyslogSection.read(config.table(SyslogSection.SECTION), tags.tags()));
    }

    /** Section {@code [events]}: messages of mavlogd itself. */
    static final class EventsSection {
        private static final Key<Boolean> ENABLED =
                Key.bool("enabled", true, "record messages of mavlogd itself: links, vehicles, gaps, files, disk");
        private static final Key<LogLevel> LEVEL = Key.choice(
                "level",
                LogLevel.INFO,
                List.of(LogLevel.ERROR, LogLevel.WARNING, LogLevel.INFO),
                "minimum severity of an event");

        static final Section SECTION = Section.table("events", "messages of mavlogd itself", ENABLED, LEVEL);

        private EventsSection() {}

        /** Minimum severity of recorded events; empty if none are recorded. */
        static Optional<LogLevel> read(SectionReader section) {
            return section.value(ENABLED) ? Optional.of(section.value(LEVEL)) : Optional.empty();
        }
    }

    /** Section {@code [tags]}: names of tags, and limits for their messages. Other sections refer to its tags. */
    static final class TagsSection {
        private static final Key<Map<String, Integer>> IDS = Key.withDefault(
                "ids",
                Map.of(),
                "{}",
                ValueType.tableOf(
                        TagMap::isName,
                        ValueType.range(0, TagMap.MAX_ID),
                        TagMap.MAX_SET,
                        "a table of up to " + TagMap.MAX_SET + " names (" + TagMap.NAME_RULE
                                + ") and whole numbers from 0 to " + TagMap.MAX_ID + ", each number once"),
                "tags besides the ten of the ULog specification, or other numbers for those");
        private static final Key<Integer> MAX_PER_S = Key.integer(
                "max_per_s",
                20,
                ValueType.range(1, 10_000),
                "messages per second of each source and tag; the excess is dropped");
        private static final Key<Integer> BURST =
                Key.integer("burst", 200, ValueType.range(1, 100_000), "messages of each source and tag in a burst");

        static final Section SECTION = Section.table("tags", "the names of tags", IDS, MAX_PER_S, BURST);

        private TagsSection() {}

        static TextOutlet.Settings read(SectionReader section) {
            Map<String, Integer> ids = section.value(IDS);
            Optional<String> problem = TagMap.problem(ids);
            if (problem.isPresent()) {
                section.problem(IDS, problem.get(), IDS.type().allowed());
            }
            return new TextOutlet.Settings(
                    problem.isPresent() ? TagMap.DEFAULT : TagMap.of(ids),
                    new TextLimiter.Limits(section.value(MAX_PER_S), section.value(BURST)));
        }

        /** The numbers in a table of tag names; invalid names are reported. */
        static Map<String, Integer> numbers(SectionReader section, Key<Map<String, String>> key, TagMap tags) {
            Map<String, Integer> numbers = new HashMap<>();
            section.value(key)
                    .forEach((from, name) ->
                            number(section, key, name, tags).ifPresent(number -> numbers.put(from, number)));
            return numbers;
        }

        /** The number of a tag name; none for "". */
        static OptionalInt number(SectionReader section, Key<?> key, String name, TagMap tags) {
            if (name.isEmpty()) {
                return OptionalInt.empty();
            }
            OptionalInt number = tags.id(name);
            if (number.isEmpty()) {
                String allowed = tags.names().values().stream().collect(Collectors.joining(", "));
                section.problem(key, Quoted.text(name) + " is not a tag", allowed);
            }
            return number;
        }
    }

    /** Section {@code [journal]}: messages of the systemd journal. */
    static final class JournalSection {
        private static final int MAX_UNITS = 64;
        private static final String DEFAULT_STATE_FILE = "/var/lib/mavlogd/journal.cursor";
        private static final List<String> PROGRAM = List.of("journalctl");
        // systemd.unit(5), "Description".
        private static final Pattern UNIT = Pattern.compile("kernel|[A-Za-z0-9:_.@\\\\-]{1,200}"
                + "\\.(?:service|socket|device|mount|automount|swap|target|path|timer|slice|scope)");

        private static final Key<Boolean> ENABLED =
                Key.bool("enabled", false, "record the systemd journal's messages of the units named here");
        private static final Key<Map<String, String>> UNITS = Key.withDefault(
                "units",
                Map.of(),
                "{}",
                ValueType.tableOf(
                        UNIT.asMatchPredicate(),
                        ValueType.STRING,
                        MAX_UNITS,
                        "a table of up to " + MAX_UNITS + " full names of units, or \"kernel\", and tags"),
                "the tag of each unit's messages; \"kernel\" for those of the kernel");
        private static final Key<String> OTHER_TAG = Key.string(
                "other_tag",
                "",
                ValueType.TAG_OR_EMPTY,
                "the tag of the messages of all other units and programs; \"\" leaves them out");
        private static final Key<LogLevel> LEVEL =
                Key.choice("level", LogLevel.INFO, List.of(LogLevel.values()), "minimum severity of an entry");
        private static final Key<Path> STATE_FILE = Key.withDefault(
                "state_file",
                Path.of(DEFAULT_STATE_FILE),
                '"' + DEFAULT_STATE_FILE + '"',
                ValueType.DIRECTORY,
                "file with the position up to which the journal was read");

        static final Section SECTION = Section.table(
                "journal", "messages of the systemd journal", ENABLED, UNITS, OTHER_TAG, LEVEL, STATE_FILE);

        private JournalSection() {}

        /** Empty if it is not read. */
        static Optional<JournalSource.Settings> read(SectionReader section, TagMap tags) {
            Map<String, Integer> units = TagsSection.numbers(section, UNITS, tags);
            OptionalInt other = TagsSection.number(section, OTHER_TAG, section.value(OTHER_TAG), tags);
            boolean enabled = section.value(ENABLED);
            if (enabled
                    && section.value(UNITS).isEmpty()
                    && section.value(OTHER_TAG).isEmpty()) {
                section.problem(ENABLED, "but there are neither units nor other_tag", "true with at least one of them");
            }
            return enabled
                    ? Optional.of(new JournalSource.Settings(
                            PROGRAM, units, other, section.value(LEVEL), section.value(STATE_FILE)))
                    : Optional.empty();
        }
    }

    /** Section {@code [syslog]}: messages that other programs of this computer send. */
    static final class SyslogSection {
        private static final int MAX_PROGRAMS = 64;
        private static final Pattern PROGRAM = Pattern.compile("[!-~]{1,48}"); // APP-NAME of RFC 5424

        private static final Key<Optional<HostPort>> LISTEN = Key.withDefault(
                "listen",
                Optional.empty(),
                "\"\"",
                SocketKeys.LOOPBACK,
                "UDP address that programs send to, such as \"127.0.0.1:5514\"");
        private static final Key<Optional<String>> SOCKET = Key.withDefault(
                "socket",
                Optional.empty(),
                "\"\"",
                SocketKeys.PATH,
                "the Unix datagram socket that programs send to; its directory must exist");
        private static final Key<String> MODE =
                Key.string("mode", "0660", SocketKeys.MODE, "permissions of the socket: who may write to it may send");
        private static final Key<String> GROUP = Key.string(
                "group", "", SocketKeys.GROUP, "group of the socket; \"\" is the group that mavlogd runs as");
        private static final Key<Map<String, String>> TAGS = Key.withDefault(
                "tags",
                Map.of(),
                "{}",
                ValueType.tableOf(
                        PROGRAM.asMatchPredicate(),
                        ValueType.STRING,
                        MAX_PROGRAMS,
                        "a table of up to " + MAX_PROGRAMS + " names of programs or facilities and tags"),
                "the tag of each program's messages, or of a facility such as \"local0\" for programs that are not listed");
        private static final Key<String> OTHER_TAG = Key.string(
                "other_tag",
                TagMap.UNASSIGNED,
                ValueType.TAG_OR_EMPTY,
                "the tag of the messages of all others; \"\" leaves them out");
        private static final Key<LogLevel> LEVEL =
                Key.choice("level", LogLevel.INFO, List.of(LogLevel.values()), "minimum severity of a message");

        static final Section SECTION = Section.table(
                "syslog",
                "messages that other programs send by syslog",
                LISTEN,
                SOCKET,
                MODE,
                GROUP,
                TAGS,
                OTHER_TAG,
                LEVEL);

        private SyslogSection() {}

        static LocalSettings.LinkedSource<SyslogSource.Settings> read(SectionReader section, TagMap tags) {
            Map<String, Integer> numbers = TagsSection.numbers(section, TAGS, tags);
            OptionalInt other = TagsSection.number(section, OTHER_TAG, section.value(OTHER_TAG), tags);
            return new LocalSettings.LinkedSource<>(
                    sockets(section), new SyslogSource.Settings(numbers, other, section.value(LEVEL)));
        }

        // Their names contain a dot, so that no configured link can have the same name.
        private static List<LinkSettings> sockets(SectionReader section) {
            List<LinkSettings> sockets = new ArrayList<>();
            section.value(LISTEN)
                    .ifPresent(address -> sockets.add(
                            new LinkSettings.UdpListen("syslog.udp", address.host(), address.port(), true)));
            section.value(SOCKET)
                    .ifPresent(path -> sockets.add(new LinkSettings.UnixDatagram(
                            "syslog.unix", path, SocketKeys.mode(section.value(MODE)), section.value(GROUP))));
            return sockets;
        }
    }
}
