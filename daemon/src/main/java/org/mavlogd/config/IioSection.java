package org.mavlogd.config;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Section {@code [iio]}: sensors of Linux' Industrial I/O.
 *
 * @param include patterns of device names
 * @param exclude patterns of device names
 */
public record IioSection(boolean enabled, int intervalMs, List<String> include, List<String> exclude) {
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

    public IioSection {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    static IioSection read(SectionReader section) {
        return new IioSection(
                section.value(ENABLED), section.value(INTERVAL_MS), section.value(INCLUDE), section.value(EXCLUDE));
    }
}
