package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.mavlogd.local.journal.JournalSettings;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

/** Section {@code [journal]}: texts of the systemd journal. */
final class JournalSection {
    private static final int MAX_UNITS = 64;
    private static final String DEFAULT_STATE_FILE = "/var/lib/mavlogd/journal.cursor";
    private static final List<String> PROGRAM = List.of("journalctl");
    // systemd.unit(5), "Description".
    private static final Pattern UNIT = Pattern.compile("kernel|[A-Za-z0-9:_.@\\\\-]{1,200}"
            + "\\.(?:service|socket|device|mount|automount|swap|target|path|timer|slice|scope)");

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", false, "record what the systemd journal has of the units named here");
    private static final Key<Map<String, String>> UNITS = Key.withDefault(
            "units",
            Map.of(),
            "{}",
            ValueTypes.tableOf(
                    UNIT.asMatchPredicate(),
                    ValueTypes.STRING,
                    MAX_UNITS,
                    "a table of up to " + MAX_UNITS + " whole names of units, or \"kernel\", and tags"),
            "the tag of each unit's texts; \"kernel\" stands for the kernel's");
    private static final Key<String> OTHER_TAG = Key.string(
            "other_tag",
            "",
            ValueTypes.TAG_OR_EMPTY,
            "the tag of the texts of all other units and programs; \"\" leaves them out");
    private static final Key<LogLevel> LEVEL =
            Key.choice("level", LogLevel.INFO, List.of(LogLevel.values()), "how grave an entry must be");
    private static final Key<Path> STATE_FILE = Key.withDefault(
            "state_file",
            Path.of(DEFAULT_STATE_FILE),
            '"' + DEFAULT_STATE_FILE + '"',
            ValueTypes.DIRECTORY,
            "where it is kept up to where the journal was read");

    static final Section SECTION =
            Section.table("journal", "texts of the systemd journal", ENABLED, UNITS, OTHER_TAG, LEVEL, STATE_FILE);

    private JournalSection() {}

    /** Empty when it is not read. */
    static Optional<JournalSettings> read(SectionReader section, TagMap tags) {
        Map<String, Integer> units = TagsSection.numbers(section, UNITS, tags);
        OptionalInt other = TagsSection.number(section, OTHER_TAG, section.value(OTHER_TAG), tags);
        boolean enabled = section.value(ENABLED);
        if (enabled
                && section.value(UNITS).isEmpty()
                && section.value(OTHER_TAG).isEmpty()) {
            section.problem(ENABLED, "but there are neither units nor other_tag", "true with at least one of them");
        }
        return enabled
                ? Optional.of(
                        new JournalSettings(PROGRAM, units, other, section.value(LEVEL), section.value(STATE_FILE)))
                : Optional.empty();
    }
}
