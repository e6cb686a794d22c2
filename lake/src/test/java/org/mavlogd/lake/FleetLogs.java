package org.mavlogd.lake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/**
 * Real logs of several vehicles, and lakes that are made of them. The ORIGIN.md of ulog-writer and of the captures list
 * the origins.
 */
final class FleetLogs {
    static final List<String> PX4 = List.of(
            "px4rs_6ba1abc7", "pyulog_sample_log_small", "px4rs_esc_status_log", "pyulog_sample_appended_multiple");

    private static final long START_US = 1_000_000;
    private static final long BOOT_UTC_US = 1_700_000_000_000_000L; // 2023-11-14
    private static final int SECONDS = 100;

    private FleetLogs() {}

    static byte[] px4(String name) throws IOException {
        return unzipped(Path.of("../ulog-writer/src/test/resources/org/mavlogd/ulog/" + name + ".ulg.gz"));
    }

    static byte[] arduPilot() throws IOException {
        return unzipped(Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz"));
    }

    /** Writes all logs, those of each vehicle into its own folder. */
    static void write(Path folder) throws IOException {
        for (String name : PX4) {
            put(folder.resolve("copter/" + name + ".ulg"), px4(name));
        }
        put(folder.resolve("rover/00000001.BIN"), arduPilot());
    }

    static void put(Path file, byte[] content) throws IOException {
        Files.createDirectories(LakeFiles.parent(file));
        Files.write(file, content);
    }

    static LakeBuild.Result build(Path source, Path lake) throws IOException {
        try (LakeBuild build = new LakeBuild(lake, "test", Clock.systemUTC())) {
            LogFolder folder = new LogFolder(source);
            return build.run(folder, folder.logs(), 2, Progress.NONE);
        }
    }

    /** The result of a query, one line for each row. */
    static List<String> ask(Path lake, String sql) throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = LakeViews.open(lake, sql);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.add(String.valueOf(rows.getObject(i)));
                }
                lines.add(String.join(" ", values));
            }
        }
        return lines;
    }

    private static byte[] unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Writes the contents of a generated log. */
    interface Content {
        void write(ULogWriter log) throws IOException;
    }

    static void write(Path file, Content content) throws IOException {
        Files.createDirectories(LakeFiles.parent(file));
        Files.deleteIfExists(file);
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT);
            content.write(log);
            log.close();
        }
    }

    /** Writes a log with known answers, by its number. */
    static void known(Path file, int flight) throws IOException {
        write(file, log -> known(log, flight));
    }

    /** A flight of 100 s: a dropout of 2 s or 3 s, a failsafe of 30 s, 3.5 m/s, the processor at 50 and 60 degrees. */
    private static void known(ULogWriter log, int flight) throws IOException {
        log.info("recorder", "test 1.0");
        log.info("flight", flight);
        log.multiInfo("field_units_battery_status", "voltage_v=V,current_a=A");
        log.format(TopicFormat.parse(
                "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;int32_t lat;int32_t lon;"
                        + "float hdop;uint8_t fix_type;uint8_t satellites_used;uint8_t[2] _padding0;"));
        log.format(TopicFormat.parse("vehicle_status:uint64_t timestamp;bool failsafe;"));
        log.format(TopicFormat.parse("battery_status:uint64_t timestamp;float voltage_v;float current_a;"));
        log.format(TopicFormat.parse("vehicle_imu_status:uint64_t timestamp;float accel_vibration_metric;"));
        log.format(TopicFormat.parse("vehicle_local_position:uint64_t timestamp;float vx;float vy;"));
        log.format(TopicFormat.parse("companion_temperature:uint64_t timestamp;float temperature;char[8] name;"));
        log.format(TopicFormat.parse("companion_wifi:uint64_t timestamp;float signal;char[16] name;"));
        TopicWriter gps = log.subscribe("vehicle_gps_position", 0);
        TopicWriter status = log.subscribe("vehicle_status", 0);
        TopicWriter battery = log.subscribe("battery_status", 0);
        TopicWriter imu = log.subscribe("vehicle_imu_status", 0);
        TopicWriter position = log.subscribe("vehicle_local_position", 0);
        TopicWriter heat = log.subscribe("companion_temperature", 0);
        TopicWriter wifi = log.subscribe("companion_wifi", 0);
        for (int i = 0; i < SECONDS; i++) {
            long us = START_US + i * 1_000_000L;
            gps.begin(us)
                    .integer(gps.column("time_utc_usec"), BOOT_UTC_US + us)
                    .integer(gps.column("lat"), 474_000_000)
                    .integer(gps.column("lon"), 85_000_000)
                    .float32(gps.column("hdop"), 1.5f)
                    .integer(gps.column("fix_type"), 3)
                    .integer(gps.column("satellites_used"), 7)
                    .write();
            wifi.begin(us)
                    .float32(wifi.column("signal"), i % 2 == 0 ? -50 : -60)
                    .text(wifi.column("name"), "wlan0")
                    .write();
            status.begin(us).bool(status.column("failsafe"), i >= 20 && i < 50).write();
            float amperes = (i + flight) % 10;
            battery.begin(us)
                    .float32(battery.column("voltage_v"), 12.6f - 0.02f * amperes)
                    .float32(battery.column("current_a"), amperes)
                    .write();
            imu.begin(us).float32(imu.column("accel_vibration_metric"), 4).write();
            position.begin(us)
                    .float32(position.column("vx"), 3.5f)
                    .float32(position.column("vy"), 0)
                    .write();
            heat.begin(us)
                    .float32(heat.column("temperature"), i % 2 == 0 ? 50 : 60)
                    .text(heat.column("name"), "cpu")
                    .write();
        }
        log.dropout(flight == 0 ? 2000 : 3000);
    }
}
