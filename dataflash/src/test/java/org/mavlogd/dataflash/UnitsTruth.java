package org.mavlogd.dataflash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Determines in the simplest way which units, scales and defaults an intact DataFlash log defines, and compares a ULog
 * with them.
 */
public final class UnitsTruth {
    private static final int HEADER = 3;
    private static final int FMT = 128;
    private static final int FMT_LENGTH = 89;
    private static final double SAME = 1e-6;

    private final ByteBuffer log;
    private final Map<Integer, Type> types = new HashMap<>();
    private final Map<Integer, String[]> units = new HashMap<>();
    private final Map<Character, String> labels = new HashMap<>();
    private final Map<Character, Double> factors = new HashMap<>();
    private final Map<String, Double> defaults = new TreeMap<>();

    private record Type(String name, int length, String format, List<String> fields) {}

    private UnitsTruth(byte[] bytes) {
        this.log = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        types.put(FMT, new Type("FMT", FMT_LENGTH, "BBnNZ", List.of("Type", "Length", "Name", "Format", "Columns")));
        for (int at = 0; at + HEADER <= bytes.length; ) {
            Type type = types.get(bytes[at + 2] & 0xFF);
            if (type == null || at + type.length() > bytes.length) {
                break; // the log ends in the middle of a record
            }
            read(type, at + HEADER);
            at += type.length();
        }
    }

    /** Checks that every topic has its units, and every parameter its default. */
    public static void check(byte[] bytes, Mapped ulog) {
        UnitsTruth truth = new UnitsTruth(bytes);
        Map<String, Map<String, String>> told = new TreeMap<>();
        for (String text : ulog.fieldUnits()) {
            int colon = text.indexOf(':');
            assertThat(told.put(text.substring(0, colon), fields(text.substring(colon + 1))))
                    .as("units of a topic, twice: %s", text)
                    .isNull();
        }
        int compared = 0;
        for (Map.Entry<Integer, Type> entry : truth.types.entrySet()) {
            String name = entry.getValue().name();
            if (ulog.formatNames().contains(name)) {
                truth.compare(entry.getKey(), entry.getValue(), told.getOrDefault(name, Map.of()));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(50);
        assertThat(ulog.defaults()).isEqualTo(truth.defaults).hasSizeGreaterThan(500);
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : text.split(",", -1)) {
            int equals = field.indexOf('=');
            fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        return fields;
    }

    private void read(Type type, int at) {
        switch (type.name()) {
            case "FMT" ->
                types.put(
                        log.get(at) & 0xFF,
                        new Type(
                                text(at + 2, 4),
                                log.get(at + 1) & 0xFF,
                                text(at + 6, 16),
                                List.of(text(at + 22, 64).split(",", -1))));
            case "FMTU" -> units.put(log.get(at + 8) & 0xFF, new String[] {text(at + 9, 16), text(at + 25, 16)});
            case "UNIT" -> labels.put((char) log.get(at + 8), text(at + 9, 64));
            case "MULT" -> factors.put((char) log.get(at + 8), log.getDouble(at + 9));
            case "PARM" -> {
                float value = log.getFloat(at + 28);
                if (!Float.isNaN(value)) {
                    defaults.put(text(at + 8, 16), (double) value);
                }
            }
            default -> {
                // data
            }
        }
    }

    private String text(int at, int length) {
        int end = 0;
        while (end < length && log.get(at + end) != 0) {
            end++;
        }
        return new String(log.array(), at, end, StandardCharsets.ISO_8859_1);
    }

    private void compare(int id, Type type, Map<String, String> told) {
        String[] its = units.getOrDefault(id, new String[] {"", ""});
        List<String> missing = new ArrayList<>(told.keySet());
        for (int i = 0; i < type.fields().size(); i++) {
            String field = type.fields().get(i);
            if (field.equals("TimeUS") || field.equals("US")) {
                continue;
            }
            String label = label(i < its[0].length() ? its[0].charAt(i) : '-');
            double factor = factor(type.format().charAt(i), i < its[1].length() ? its[1].charAt(i) : '-');
            String text = told.getOrDefault(field, "");
            missing.remove(field);
            boolean isScaled = !label.equals(text) && !text.isEmpty();
            String number = isScaled ? text.split(" ", 2)[0] : "1";
            assertThat(isScaled ? text.substring(number.length()).trim() : text)
                    .as("unit of %s.%s in %s", type.name(), field, told)
                    .isEqualTo(label);
            assertThat(Double.parseDouble(number) / factor)
                    .as("scale of %s.%s in %s", type.name(), field, told)
                    .isBetween(1 - SAME, 1 + SAME);
        }
        assertThat(missing).as("fields of %s", type.name()).isEmpty();
    }

    private String label(char unit) {
        return unit == '-' || unit == '?' ? "" : labels.getOrDefault(unit, "");
    }

    private double factor(char format, char multiplier) {
        return switch (format) {
            case 'c', 'C', 'e', 'E' -> 0.01;
            case 'L' -> 1e-7;
            default -> {
                double told = factors.getOrDefault(multiplier, 0.0);
                yield multiplier == '-' || multiplier == '?' || told == 0 ? 1 : told;
            }
        };
    }
}
