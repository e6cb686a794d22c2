package org.mavlogd.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.mavlogd.local.syslog.SyslogSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/**
 * Section {@code [syslog]}: texts that other programs of this computer send.
 *
 * @param listen a loopback address; empty for none
 */
public record SyslogSection(Optional<HostPort> listen, SyslogSettings settings) {
    private static final int MAX_PROGRAMS = 64;
    private static final Pattern PROGRAM = Pattern.compile("[!-~]{1,48}"); // APP-NAME of RFC 5424

    private static final Key<Optional<HostPort>> LISTEN = Key.withDefault(
            "listen",
            Optional.empty(),
            "\"\"",
            ValueTypes.hostPortOrEmpty(1),
            "the UDP address of this computer that programs send to, such as \"127.0.0.1:5514\"");
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

    static final Section SECTION =
            Section.table("syslog", "texts that other programs send", LISTEN, TAGS, OTHER_TAG, LEVEL);

    static SyslogSection read(SectionReader section, TagMap tags) {
        Optional<HostPort> listen = section.value(LISTEN);
        if (listen.isPresent() && !listen.get().isLoopback()) {
            section.problem(
                    LISTEN,
                    Quoted.text(listen.get().host()) + " can be reached from the network, where everybody may write",
                    "127.0.0.1, [::1] or localhost with a port; rsyslog can pass messages of the network on");
        }
        Map<String, Integer> numbers = TagKeys.numbers(section, TAGS, tags);
        OptionalInt other = TagKeys.number(section, OTHER_TAG, section.value(OTHER_TAG), tags);
        return new SyslogSection(listen, new SyslogSettings(numbers, other, section.value(LEVEL)));
    }
}
