package org.mavlogd.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.mavlogd.local.iio.IioSettings;

/** Section {@code [iio]}: sensors of Linux' Industrial I/O. */
final class IioSection {
    private static final Path ROOT = Path.of("/");
    private static final int MAX_PATTERNS = 64;
    private static final ValueType<List<String>> PATTERNS = ValueTypes.listOf(
            ValueTypes.matching(Pattern.compile("[ -~]{1,64}"), "1 to 64 printable characters"),
            MAX_PATTERNS,
            "an array of up to " + MAX_PATTERNS + " names, \"*\" for any letters and \"?\" for one");

    private static final Key<Boolean> ENABLED =
            Key.bool("enabled", false, "record the sensors under /sys/bus/iio/devices");
    private static final Key<Integer> INTERVAL_MS =
            Key.integer("interval_ms", 100, ValueTypes.range(5, 3_600_000), "milliseconds from one sample to the next");
    private static final Key<List<String>> INCLUDE =
            Key.withDefault("include", List.of("*"), "[\"*\"]", PATTERNS, "names of the devices to record");
    private static final Key<List<String>> EXCLUDE =
            Key.withDefault("exclude", List.of(), "[]", PATTERNS, "names of devices that are left out all the same");

    static final Section SECTION =
            Section.table("iio", "sensors of Linux' Industrial I/O", ENABLED, INTERVAL_MS, INCLUDE, EXCLUDE);

    private IioSection() {}

    /** Empty when they are not recorded. */
    static Optional<IioSettings> read(SectionReader section) {
        if (!section.value(ENABLED)) {
            return Optional.empty();
        }
        return Optional.of(new IioSettings(
                ROOT,
                TimeUnit.MILLISECONDS.toNanos(section.value(INTERVAL_MS)),
                section.value(INCLUDE),
                section.value(EXCLUDE)));
    }
}
