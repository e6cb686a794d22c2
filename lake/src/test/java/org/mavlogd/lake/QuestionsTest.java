package org.mavlogd.lake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import picocli.CommandLine;

/**
 * Tests the ready-made questions on logs with known answers, on real ones, and on a lake that has nothing to answer
 * them.
 */
class QuestionsTest {
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

    @Test
    void helpOfTheCommandListsItsExitCodes() {
        assertThat(new CommandLine(new LakeCommand()).getUsageMessage()).contains("Exit codes:", "2   wrong usage");
    }

    @ParameterizedTest
    @MethodSource("names")
    void isAnsweredWhereNothingIsKnown(String name) throws IOException, SQLException {
        Path source = directory.resolve("logs");
        FleetLogs.write(source.resolve("boat/empty.ulg"), log -> {});
        FleetLogs.build(source, directory.resolve("lake"));

        assertThat(ask(name)).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void answersAreThoseOfTheLogs() throws IOException, SQLException {
        Path source = directory.resolve("logs");
        FleetLogs.known(source.resolve("boat/first.ulg"), 0);
        FleetLogs.known(source.resolve("boat/second.ulg"), 1);
        FleetLogs.put(source.resolve("rover/00000001.BIN"), FleetLogs.arduPilot());
        FleetLogs.build(source, directory.resolve("lake"));

        assertThat(ask("flights")).anySatisfy(row -> assertThat(row).startsWith("boat 2023-11 2 0.06"));
        assertThat(ask("vibration")).containsExactly("unknown unknown unknown 2 4.0 4.0 4.0");
        // For each flight, 12.6 V minus 20 milliohms times the current.
        assertThat(ask("battery_wear").stream().filter(row -> row.startsWith("boat 0")))
                .hasSize(2)
                .allMatch(row -> row.endsWith(" 20.0"));
        assertThat(ask("gps_map")).contains("47.4 8.5 200 2 7 7.0 1.5");
        assertThat(ask("loss_by_link").get(0)).startsWith("boat test 1.0 wlan0 -55 2 0.06 2 5.0 2.5");
        assertThat(ask("failsafe").stream().filter(row -> row.startsWith("boat")))
                .hasSize(2)
                .allMatch(row -> row.contains(" 30.0 "));
        assertThat(ask("companion_heat")).containsExactly("boat cpu 3 200 55.0 60.0");
    }

    /**
     * ArduPilot logs the current as NaN if nothing measures it; one such log must not spoil the answer for the others.
     */
    @ParameterizedTest
    @MethodSource("names")
    void valuesThatAreNoMeasurementsSpoilNoAnswer(String name) throws IOException, SQLException {
        Path source = directory.resolve("logs");
        FleetLogs.known(source.resolve("boat/first.ulg"), 0);
        FleetLogs.write(source.resolve("boat/second.ulg"), log -> {
            Map<String, List<String>> topics = Map.of(
                    "battery_status", List.of("voltage_v", "current_a"),
                    "vehicle_local_position", List.of("vx", "vy"),
                    "vehicle_imu_status", List.of("accel_vibration_metric"),
                    "companion_temperature", List.of("temperature"),
                    "companion_wifi", List.of("signal"));
            for (String topic : topics.keySet()) {
                log.format(TopicFormat.parse(topic + ":uint64_t timestamp;float "
                        + String.join(";float ", topics.get(topic)) + ";char[8] name;"));
            }
            for (String topic : topics.keySet()) {
                TopicWriter writer = log.subscribe(topic, 0);
                long us = 1_000_000;
                for (float value : new float[] {0, Float.NaN, Float.POSITIVE_INFINITY, -1e38f, 1e38f}) {
                    writer.begin(us);
                    topics.get(topic).forEach(field -> writer.float32(writer.column(field), value));
                    writer.write();
                    us += 1_000_000;
                }
            }
        });
        FleetLogs.build(source, directory.resolve("lake"));

        List<String> answer = ask(name);

        assertThat(answer)
                .anySatisfy(row -> assertThat(row)
                        .contains(
                                switch (name) {
                                    case "battery_wear" -> " 20.0";
                                    case "companion_heat" -> " 55.0 60.0";
                                    default -> "";
                                }));
    }

    @Test
    void textsOfLogsSteerNeitherTheTerminalNorASpreadsheet() throws IOException {
        Path source = directory.resolve("logs");
        Path lake = directory.resolve("lake");
        FleetLogs.write(source.resolve("boat/a.ulg"), log -> {
            log.format(TopicFormat.parse("t:uint64_t timestamp;char[16] s;float x;"));
            TopicWriter topic = log.subscribe("t", 0);
            int us = 5;
            for (String text : List.of("\u001b[31mred", "=1+1", "a;b", "-", "two\nlines")) {
                topic.begin(us++)
                        .text(topic.column("s"), text)
                        .float32(topic.column("x"), -1.5f)
                        .write();
            }
        });
        FleetLogs.build(source, lake);
        StringWriter out = new StringWriter();

        int code = new CommandLine(new LakeCommand())
                .setOut(new PrintWriter(out))
                .execute("query", "--lake", lake.toString(), "SELECT s, x, -t_us AS \"=t\" FROM topic_t ORDER BY t_us");

        assertThat(code).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "s,x,'=t",
                        "[31mred,-1.5,-5",
                        "'=1+1,-1.5,-6",
                        "\"a;b\",-1.5,-7",
                        "'-,-1.5,-8",
                        "two lines,-1.5,-9");
    }

    /** Both autopilots, and PX4 before and after it renamed its fields. */
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
}
