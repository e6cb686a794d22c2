package org.mavlogd.config;

import java.util.List;
import java.util.Optional;
import org.mavlogd.ulog.LogLevel;

/** Section {@code [events]}: what mavlogd itself says. */
final class EventsSection {
    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", true, "record what mavlogd itself says: links, vehicles, gaps, files, disk");
    private static final Key<LogLevel> LEVEL = Key.choice(
            "level",
            LogLevel.INFO,
            List.of(LogLevel.ERROR, LogLevel.WARNING, LogLevel.INFO),
            "how grave an event must be");

    static final Section SECTION = Section.table("events", "what mavlogd itself says", ENABLED, LEVEL);

    private EventsSection() {}

    /** Minimum severity of the events that are recorded; empty when none are. */
    static Optional<LogLevel> read(SectionReader section) {
        return section.value(ENABLED) ? Optional.of(section.value(LEVEL)) : Optional.empty();
    }
}
