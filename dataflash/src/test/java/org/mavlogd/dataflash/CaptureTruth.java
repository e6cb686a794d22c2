package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.mavlogd.dataflash.Captures.Expected;
import org.mavlogd.dataflash.Captures.Row;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;

/** Compares a ULog with what an established reader found in the DataFlash log from which it was made. */
public final class CaptureTruth {
    private static final Set<String> DEFINITIONS = Set.of("FMT", "FMTU", "UNIT", "MULT");
    private static final String TEXTS = "MSG";
    private static final Set<String> IN_WORDS = Set.of("MODE", "EV", "ERR", "ARM");

    private CaptureTruth() {}

    /** Checks that every record of each type and instance is present. */
    public static void checkCounts(String name, Mapped mapped) {
        Expected expected = Captures.expected(name);
        assertThat(mapped.sampleCounts()).isEqualTo(expectedSeries(expected));
        assertThat(parametersAndChanges(mapped)).isEqualTo(mapped.parameters.size() + mapped.changes.size());
        long inWords = IN_WORDS.stream()
                .mapToLong(type -> expected.counts().getOrDefault(type, 0L))
                .sum();
        assertThat((long) mapped.texts.size()).isEqualTo(expected.counts().getOrDefault(TEXTS, 0L) + inWords);
    }

    /**
     * Number of rows of PARM that change a value. PARM contains everything that the vehicle logged, including
     * repetitions.
     */
    private static int parametersAndChanges(Mapped mapped) {
        Map<Object, Object> known = new HashMap<>();
        int count = 0;
        for (Map<String, Object> row : mapped.rows("PARM")) {
            Object before = known.put(row.getOrDefault("Name", ""), row.getOrDefault("Value", ""));
            count += Objects.equals(before, row.get("Value")) ? 0 : 1;
        }
        return count;
    }

    private static Map<String, Long> expectedSeries(Expected expected) {
        Map<String, Long> series = new TreeMap<>();
        expected.counts().forEach((type, count) -> {
            boolean hasInstances = expected.instances().keySet().stream().anyMatch(key -> key.startsWith(type + ":"));
            if (!hasInstances && !DEFINITIONS.contains(type) && !type.equals(TEXTS)) {
                series.put(type + ":0", count);
            }
        });
        series.putAll(expected.instances());
        return series;
    }

    /** Checks that the sample rows are present with their values. */
    public static void checkRows(String name, Mapped mapped) {
        for (Row row : Captures.expected(name).rows()) {
            if (row.type().equals(TEXTS)) {
                assertThat(mapped.texts)
                        .contains(new LoggedText(
                                LogLevel.INFO,
                                LoggedText.NO_TAG,
                                Long.parseLong(row.values().getOrDefault("TimeUS", "")),
                                row.values().getOrDefault("Message", "")));
            } else {
                assertThat(mapped.rows(row.type())).as("%s", row).anyMatch(sample -> isSame(row, sample));
            }
        }
    }

    private static boolean isSame(Row row, Map<String, Object> sample) {
        return row.values().entrySet().stream().allMatch(entry -> {
            String name = entry.getKey().equals("TimeUS") ? "timestamp" : entry.getKey();
            return sample.containsKey(name) && isSame(entry.getValue(), sample.getOrDefault(name, ""));
        });
    }

    private static boolean isSame(String expected, Object value) {
        if (value instanceof Long number) {
            return expected.equals(Long.toString(number));
        }
        if (value instanceof Double number) {
            return Double.valueOf(expected.equals("nan") ? "NaN" : expected).equals(number);
        }
        if (value instanceof List<?> bytes) {
            StringBuilder hex = new StringBuilder();
            bytes.forEach(element -> hex.append(String.format("%02x", (Long) element)));
            return hex.toString().startsWith(expected);
        }
        return expected.equals(value);
    }
}
