package org.mavlogd.config;

import java.util.List;
import org.mavlogd.ulog.LogLevel;

/** Section {@code [events]}: what mavlogd itself says. */
public record EventsSection(boolean enabled, LogLevel level) {
    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", true, "record what mavlogd itself says: links, vehicles, gaps, files, disk");
    private static final Key<LogLevel> LEVEL = Key.choice(
            "level",
            LogLevel.INFO,
            List.of(LogLevel.ERROR, LogLevel.WARNING, LogLevel.INFO),
            "how grave an event must be");

    static final Section SECTION = Section.table("events", "what mavlogd itself says", ENABLED, LEVEL);

    static EventsSection read(SectionReader section) {
        return new EventsSection(section.value(ENABLED), section.value(LEVEL));
    }
}
