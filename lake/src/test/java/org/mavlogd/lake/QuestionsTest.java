package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** The ready-made questions, on logs whose answers are known, on real ones, and on a lake that has nothing that they ask for. */
class QuestionsTest {
    private static final long START_US = 1_000_000;
    private static final long BOOT_UTC_US = 1_700_000_000_000_000L; // 2023-11-14
    private static final int SECONDS = 100;

    @TempDir
    private Path directory = Path.of(".");

    static List<String> names() {
        return Questions.all().stream().map(Questions.Question::name).toList();
    }

    @Test
    void everyFileOfTheFolderIsAQuestion() throws IOException {
        try (var files = Files.list(Path.of("../contrib/lake"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> file.endsWith(".sql"))
                            .map(file -> file.replace(".sql", "")))
                    .containsExactlyInAnyOrderElementsOf(names());
        }
        assertThat(Questions.all()).allMatch(question -> question.about().length() > 20);
    }

    @ParameterizedTest
    @MethodSource("names")
    void isAnsweredWhereNothingIsKnown(String name) throws IOException, SQLException {
        Path source = directory.resolve("logs");
        write(source.resolve("boat/empty.ulg"), log -> {});
        FleetLogs.build(source, directory.resolve("lake"));

        assertThat(ask(name)).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void answersAreThoseOfTheLogs() throws IOException, SQLException {
        Path source = directory.resolve("logs");
        write(source.resolve("boat/first.ulg"), log -> known(log, 0));
        write(source.resolve("boat/second.ulg"), log -> known(log, 1));
        FleetLogs.put(source.resolve("rover/00000001.BIN"), FleetLogs.arduPilot());
        FleetLogs.build(source, directory.resolve("lake"));

        assertThat(ask("flights")).anySatisfy(row -> assertThat(row).startsWith("boat 2023-11 2 0.06"));
        assertThat(ask("vibration")).containsExactly("unknown unknown unknown 2 4.0 4.0 4.0");
        // 12.6 V less 20 mohm times the current, of each flight.
        assertThat(ask("battery_wear").stream().filter(row -> row.startsWith("boat 0")))
                .hasSize(2)
                .allMatch(row -> row.endsWith(" 20.0"));
        assertThat(ask("gps_map")).contains("47.4 8.5 200 2 7 7.0 1.5");
        assertThat(ask("loss_by_link").get(0)).startsWith("telem2 test 1.0 2 0.06 2 5.0 2.5");
        assertThat(ask("failsafe").stream().filter(row -> row.startsWith("boat")))
                .hasSize(2)
                .allMatch(row -> row.contains(" 30.0 "));
        assertThat(ask("companion_heat")).containsExactly("boat cpu 3 200 55.0 60.0");
    }

    /** Two makes, and PX4 before and after it changed the names of its fields. */
    @Test
    void realLogsAnswer() throws IOException, SQLException {
        Path source = directory.resolve("logs");
        FleetLogs.write(source);
        FleetLogs.build(source, directory.resolve("lake"));

        assertThat(ask("flights").stream()
                        .mapToLong(row -> Long.parseLong(row.split(" ", -1)[2]))
                        .sum())
                .isEqualTo(FleetLogs.PX4.size() + 1);
        for (String name : names()) {
            assertThat(ask(name)).as(name).isNotNull();
        }
        assertThat(ask("gps_map")).isNotEmpty();
        assertThat(ask("battery_wear").size() + ask("vibration").size()).isPositive();
    }

    private List<String> ask(String name) throws IOException, SQLException {
        return FleetLogs.ask(
                directory.resolve("lake"), Questions.named(name).orElseThrow().sql());
    }

    private interface Content {
        void write(ULogWriter log) throws IOException;
    }

    private static void write(Path file, Content content) throws IOException {
        Files.createDirectories(LakeFiles.parent(file));
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, START_US, WriterSettings.DEFAULT);
            content.write(log);
            log.close();
        }
    }

    /** A flight of 100 s: 5 s of gaps in two, a failsafe of 30 s, 3.5 m/s, the processor at 50 and 60 degrees. */
    private static void known(ULogWriter log, int flight) throws IOException {
        log.info("recorder", "test 1.0");
        log.info("recorder_link", "telem2");
        log.format(TopicFormat.parse(
                "vehicle_gps_position:uint64_t timestamp;uint64_t time_utc_usec;int32_t lat;int32_t lon;"
                        + "float hdop;uint8_t fix_type;uint8_t satellites_used;uint8_t[2] _padding0;"));
        log.format(TopicFormat.parse("vehicle_status:uint64_t timestamp;bool failsafe;"));
        log.format(TopicFormat.parse("battery_status:uint64_t timestamp;float voltage_v;float current_a;"));
        log.format(TopicFormat.parse("vehicle_imu_status:uint64_t timestamp;float accel_vibration_metric;"));
        log.format(TopicFormat.parse("vehicle_local_position:uint64_t timestamp;float vx;float vy;"));
        log.format(TopicFormat.parse("companion_temperature:uint64_t timestamp;float temperature;char[8] name;"));
        TopicWriter gps = log.subscribe("vehicle_gps_position", 0);
        TopicWriter status = log.subscribe("vehicle_status", 0);
        TopicWriter battery = log.subscribe("battery_status", 0);
        TopicWriter imu = log.subscribe("vehicle_imu_status", 0);
        TopicWriter position = log.subscribe("vehicle_local_position", 0);
        TopicWriter heat = log.subscribe("companion_temperature", 0);
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
