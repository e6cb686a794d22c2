package org.mavlogd.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** The tables that {@code export parquet} must make of a log, from the ULog reader, in memory. */
final class ExpectedTables implements ULogHandler {
    private record Key(String topic, List<Column> columns) {}

    private record Row(long timeUs, String text) {}

    private final Map<Key, List<Row>> tables = new LinkedHashMap<>();
    private long lastUs;

    /** The lines of each table by the name of its file: one for each row, in the order of time. */
    static Map<String, List<String>> of(byte[] log) throws IOException {
        ExpectedTables expected = new ExpectedTables();
        ULogReader reader = new ULogReader(expected);
        reader.feed(log, 0, log.length);
        reader.finish();
        Map<String, List<String>> tables = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        expected.tables.forEach((key, rows) -> {
            String name = key.topic().replaceAll("[^A-Za-z0-9_-]", "_");
            for (int i = 2; !taken.add(name); i++) {
                name = name.replaceFirst("-\\d+$", "") + "-" + i;
            }
            rows.sort(Comparator.comparingLong(Row::timeUs));
            tables.put(name + ".parquet", rows.stream().map(Row::text).toList());
        });
        return tables;
    }

    @Override
    public void onStart(int version, long startUs) {
        lastUs = startUs;
    }

    @Override
    public void onSample(SampleView sample) {
        TopicLayout layout = sample.topic().layout().orElseThrow();
        if (layout.timestamp().isPresent()) {
            lastUs = sample.timestampUs();
        }
        StringBuilder text = new StringBuilder();
        text.append(sample.topic().multiId()).append(' ').append(lastUs);
        for (Column column : layout.columns()) {
            if (layout.timestamp().filter(column::equals).isEmpty()) {
                append(sample, column, text);
            }
        }
        tables.computeIfAbsent(new Key(sample.topic().name(), layout.columns()), key -> new ArrayList<>())
                .add(new Row(lastUs, text.toString()));
    }

    private static void append(SampleView sample, Column column, StringBuilder text) {
        if (column.type() == FieldType.CHAR) {
            text.append(' ').append(column.count() == 0 ? "" : sample.text(column));
            return;
        }
        for (int i = 0; i < column.count(); i++) {
            text.append(' ');
            switch (column.type()) {
                case FLOAT -> text.append(value(sample.float32(column, i)));
                case DOUBLE -> text.append(value(sample.number(column, i)));
                case BOOL -> text.append(sample.integer(column, i) != 0);
                case UINT64 -> text.append(Long.toUnsignedString(sample.integer(column, i)));
                default -> text.append(sample.integer(column, i));
            }
        }
    }

    /** The value as text; of a floating-point number its bits, so that negative zero differs from zero. */
    static String value(Object value) {
        if (value instanceof Float number) {
            return Integer.toHexString(Float.floatToIntBits(number));
        }
        return value instanceof Double number
                ? Long.toHexString(Double.doubleToLongBits(number))
                : String.valueOf(value);
    }
}
