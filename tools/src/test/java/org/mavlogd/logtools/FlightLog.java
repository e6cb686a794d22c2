package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Writes logs as PX4 does, from formats of topics and values of samples. */
public final class FlightLog implements Closeable {
    public static final String GLOBAL =
            "vehicle_global_position:uint64_t timestamp;double lat;double lon;float alt;bool lat_lon_valid;bool alt_valid;";
    public static final String OLD_GPS = "vehicle_gps_position:uint64_t timestamp;int32_t lat;int32_t lon;int32_t alt;"
            + "float vel_m_s;uint64_t time_utc_usec;uint8_t fix_type;";
    public static final String NEW_GPS = "sensor_gps:uint64_t timestamp;double latitude_deg;double longitude_deg;"
            + "double altitude_msl_m;float vel_m_s;uint8_t fix_type;";
    public static final String LOCAL =
            "vehicle_local_position:uint64_t timestamp;float x;float y;float z;float vx;float vy;"
                    + "double ref_lat;double ref_lon;float ref_alt;bool xy_valid;bool z_valid;bool v_xy_valid;bool xy_global;bool z_global;";
    public static final String STATUS =
            "vehicle_status:uint64_t timestamp;uint8_t nav_state;uint8_t arming_state;uint8_t system_type;";
    public static final String BATTERY =
            "battery_status:uint64_t timestamp;float voltage_v;float discharged_mah;float remaining;bool connected;";

    private final FileSink sink;
    private final ULogWriter log;
    private final Map<String, TopicLayout> layouts = new HashMap<>();
    private final Map<String, TopicWriter> writers = new HashMap<>();

    public FlightLog(Path file, String... formats) throws IOException {
        sink = FileSink.create(file);
        log = new ULogWriter(sink, 0, new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP));
        for (String text : formats) {
            TopicFormat format = TopicFormat.parse(text);
            log.format(format);
            layouts.put(format.name(), TopicLayout.of(format, Map.of()));
        }
    }

    /** The writer, for infos, parameters and messages. */
    public ULogWriter log() {
        return log;
    }

    /** Writes a sample of an instance; the values are in the order of the format. */
    public FlightLog sampleOf(String topic, int instance, long us, double... values) throws IOException {
        TopicWriter writer = writers.get(topic + instance);
        if (writer == null) {
            writer = log.subscribe(topic, instance);
            writers.put(topic + instance, writer);
        }
        writer.begin(us);
        List<Column> columns = Objects.requireNonNull(layouts.get(topic)).columns().stream()
                .skip(1)
                .toList();
        for (int i = 0; i < values.length; i++) {
            put(writer, columns.get(i), values[i]);
        }
        writer.write();
        return this;
    }

    public FlightLog sample(String topic, long us, double... values) throws IOException {
        return sampleOf(topic, 0, us, values);
    }

    private static void put(TopicWriter writer, Column column, double value) {
        switch (column.type()) {
            case FLOAT -> writer.float32(column, (float) value);
            case DOUBLE -> writer.float64(column, value);
            default -> writer.integer(column, (long) value);
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
        sink.close();
    }
}
