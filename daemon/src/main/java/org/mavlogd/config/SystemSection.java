package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.mavlogd.local.system.SystemSettings;

/** Section {@code [system]}: this computer's own state. */
final class SystemSection {
    private static final Path ROOT = Path.of("/");
    private static final String TOPICS = String.join(", ", SystemSettings.TOPICS);
    private static final ValueType<String> TOPIC =
            ValueTypes.matching(Pattern.compile(String.join("|", SystemSettings.TOPICS)), TOPICS);

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", true, "record load, memory, temperatures, disks, network and supply of this computer");
    private static final Key<Integer> INTERVAL_MS = Key.integer(
            "interval_ms", 1000, ValueTypes.range(100, 3_600_000), "milliseconds from one sample to the next");
    private static final Key<List<String>> EXCLUDE = Key.withDefault(
            "exclude",
            List.of(),
            "[]",
            ValueTypes.listOf(TOPIC, SystemSettings.TOPICS.size(), "an array of " + TOPICS),
            "topics that are not wanted");

    static final Section SECTION = Section.table("system", "this computer's own state", ENABLED, INTERVAL_MS, EXCLUDE);

    private SystemSection() {}

    /** Empty when it is not recorded. */
    static Optional<SystemSettings> read(SectionReader section, Path logDirectory) {
        if (!section.value(ENABLED)) {
            return Optional.empty();
        }
        return Optional.of(new SystemSettings(
                ROOT,
                logDirectory,
                TimeUnit.MILLISECONDS.toNanos(section.value(INTERVAL_MS)),
                Set.copyOf(section.value(EXCLUDE))));
    }
}
