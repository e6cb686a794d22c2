package org.mavlogd.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/**
 * The fields of a topic as columns of a table or members of a JSON object, flattened: {@code q[0]}, {@code esc[1].esc_rpm}.
 * A {@code char} array is one column. Values of numbers allocate nothing.
 */
final class SampleColumns {
    private final List<Column> columns;
    private final byte[][] keys;

    /** @param columns of a layout, or elements of them */
    SampleColumns(List<Column> columns) {
        this(columns, Set.of());
    }

    /** @param reserved names that JSON members must not have: {@code _} is appended to the names of such fields */
    SampleColumns(List<Column> columns, Set<String> reserved) {
        this.columns = columns;
        this.keys = keys(names(), reserved);
    }

    /** All fields except the topic's timestamp. */
    static List<Column> withoutTimestamp(TopicLayout layout) {
        return layout.columns().stream()
                .filter(column -> layout.timestamp().filter(column::equals).isEmpty())
                .toList();
    }

    /** The names of all cells, in order. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Column column : columns) {
            names.addAll(names(column));
        }
        return names;
    }

    static List<String> names(Column column) {
        if (!column.isArray() || column.type() == FieldType.CHAR) {
            return List.of(column.path());
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < column.count(); i++) {
            names.add(column.path() + "[" + i + "]");
        }
        return names;
    }

    void cells(SampleView sample, CsvText row) {
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            if (column.type() == FieldType.CHAR) {
                row.text(text(sample, column));
                continue;
            }
            for (int i = 0; i < column.count(); i++) {
                switch (column.type()) {
                    case FLOAT -> row.number(sample.float32(column, i));
                    case DOUBLE -> row.number(sample.number(column, i));
                    case UINT64 -> row.unsigned(sample.integer(column, i));
                    default -> row.integer(sample.integer(column, i));
                }
            }
        }
    }

    /** Writes each member with a preceding comma. */
    void members(SampleView sample, TextBytes json) {
        int key = 0;
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            if (column.type() == FieldType.CHAR) {
                json.put(keys[key++]);
                string(text(sample, column), json);
                continue;
            }
            for (int i = 0; i < column.count(); i++) {
                json.put(keys[key++]);
                value(sample, column, i, json);
            }
        }
    }

    /** Writes a value; infinite numbers and NaN, which JSON lacks, as null. */
    private static void value(SampleView sample, Column column, int index, TextBytes json) {
        switch (column.type()) {
            case FLOAT -> {
                float value = sample.float32(column, index);
                if (Float.isFinite(value)) {
                    json.putNumber(value);
                } else {
                    json.putAscii("null");
                }
            }
            case DOUBLE -> {
                double value = sample.number(column, index);
                if (Double.isFinite(value)) {
                    json.putNumber(value);
                } else {
                    json.putAscii("null");
                }
            }
            case UINT64 -> json.putUnsigned(sample.integer(column, index));
            default -> json.putInteger(sample.integer(column, index));
        }
    }

    private static String text(SampleView sample, Column column) {
        return column.count() == 0 ? "" : sample.text(column);
    }

    private static byte[][] keys(List<String> names, Set<String> reserved) {
        Set<String> taken = new HashSet<>(reserved);
        Map<String, Integer> numbers = new HashMap<>();
        byte[][] keys = new byte[names.size()][];
        for (int i = 0; i < keys.length; i++) {
            String name = reserved.contains(names.get(i)) ? names.get(i) + "_" : names.get(i);
            TextBytes key = new TextBytes();
            key.put(',');
            string(unique(name, taken, numbers), key);
            key.put(':');
            keys[i] = Arrays.copyOf(key.bytes(), key.length());
        }
        return keys;
    }

    /** A free name. The last number of each name is kept, because a log may declare any number of equal ones. */
    private static String unique(String name, Set<String> taken, Map<String, Integer> numbers) {
        String unique = name;
        while (!taken.add(unique)) {
            unique = name + "_" + numbers.merge(name, 2, (last, first) -> last + 1);
        }
        return unique;
    }

    /** Writes a JSON string in ASCII, which all terminals and character sets read correctly. */
    static void string(String text, TextBytes json) {
        json.put('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.put('\\');
                json.put(c);
            } else if (c >= ' ' && c < 0x7F) {
                json.put(c);
            } else {
                json.putAscii(String.format("\\u%04X", (int) c));
            }
        }
        json.put('"');
    }
}
