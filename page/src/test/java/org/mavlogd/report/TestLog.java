package org.mavlogd.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** A log built for a test: formats and infos first, then samples. */
final class TestLog {
    static final long START_US = 1_000_000;

    private final MemorySink sink = new MemorySink();
    private final ULogWriter log =
            new ULogWriter(sink, START_US, new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP));
    private final Map<String, TopicWriter> topics = new HashMap<>();

    /** Declares a format by its fields after the timestamp. */
    TestLog format(String name, String fields) throws IOException {
        log.format(TopicFormat.parse(name + ":uint64_t timestamp;" + fields));
        return this;
    }

    TestLog info(String name, String value) throws IOException {
        log.info(name, value);
        return this;
    }

    TestLog parameter(String name, float value, float defaultValue) throws IOException {
        log.parameter(name, value);
        log.defaultParameter(ULogWriter.SYSTEM_DEFAULT, name, defaultValue);
        return this;
    }

    /**
     * Writes a sample {@code seconds} after the start. The values are those of the elements in the layout's order;
     * missing ones are 0.
     */
    TestLog sample(String topic, double seconds, double... values) throws IOException {
        return instance(topic, 0, seconds, values);
    }

    TestLog instance(String topic, int instance, double seconds, double... values) throws IOException {
        // A log subscribes to a topic's instances in their order.
        for (int id = 0; id <= instance; id++) {
            if (!topics.containsKey(topic + ":" + id)) {
                topics.put(topic + ":" + id, log.subscribe(topic, id));
            }
        }
        TopicWriter writer = Objects.requireNonNull(topics.get(topic + ":" + instance));
        writer.begin(START_US + Math.round(seconds * 1e6));
        int at = 0;
        for (Column column : writer.layout().columns()) {
            for (int i = 0; i < column.count() && !column.path().equals("timestamp"); i++) {
                set(writer, column, i, at < values.length ? values[at] : 0);
                at++;
            }
        }
        writer.write();
        return this;
    }

    /** Stores a value in a field's type; a whole number that does not fit is truncated to its lowest bits. */
    private static void set(TopicWriter writer, Column column, int index, double value) {
        long whole = (long) value;
        switch (column.type()) {
            case FLOAT -> writer.float32(column, index, (float) value);
            case DOUBLE -> writer.float64(column, index, value);
            case INT8 -> writer.integer(column, index, (byte) whole);
            case UINT8, CHAR -> writer.integer(column, index, whole & 0xFF);
            case BOOL -> writer.integer(column, index, whole & 1);
            case INT16 -> writer.integer(column, index, (short) whole);
            case UINT16 -> writer.integer(column, index, whole & 0xFFFF);
            case INT32 -> writer.integer(column, index, whole << 32 >> 32);
            case UINT32 -> writer.integer(column, index, whole & 0xFFFF_FFFFL);
            case INT64, UINT64 -> writer.integer(column, index, whole);
        }
    }

    TestLog armed(double seconds, boolean armed) throws IOException {
        return sample("vehicle_status", seconds, armed ? 2 : 1);
    }

    TestLog text(LogLevel level, double seconds, String text) throws IOException {
        log.loggedString(level, START_US + Math.round(seconds * 1e6), text);
        return this;
    }

    TestLog dropout(int ms) throws IOException {
        log.dropout(ms);
        return this;
    }

    byte[] bytes() throws IOException {
        log.close();
        return sink.toByteArray();
    }

    Path write(Path directory) throws IOException {
        return write(directory, "test.ulg");
    }

    Path write(Path directory, String name) throws IOException {
        return Files.write(directory.resolve(name), bytes());
    }
}
