package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.JsonTree;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.logtools.FlightLog;
import org.mavlogd.logtools.Logs;
import org.mavlogd.ulog.LogLevel;

/** Tests the output of {@code mavlogd info} about a flight, its messages and its topics. */
class InfoCommandTest {
    private static final String STATUS = "vehicle_status";
    private static final String GLOBAL = "vehicle_global_position";

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    /** Writes the part of a log that a test needs. */
    @FunctionalInterface
    private interface Contents {
        void write(FlightLog log) throws IOException;
    }

    private Path log(Contents contents, String... formats) throws IOException {
        Path file = directory.resolve("flight.ulg");
        Files.deleteIfExists(file);
        try (FlightLog log = new FlightLog(file, formats)) {
            contents.write(log);
        }
        return file;
    }

    private Path flight() throws IOException {
        return log(
                log -> {
                    log.log().info("sys_name", "PX4");
                    log.log().parameter("SYS_AUTOSTART", 4001);
                    log.sample(STATUS, 1_000_000, 4, 1, 2);
                    log.sample(STATUS, 2_000_000, 3, 2, 2);
                    for (int i = 0; i <= 10; i++) {
                        log.sample(GLOBAL, 2_000_000 + i * 1_000_000L, 47 + i * 1e-4, 8, 500 + i, 1, 1);
                        log.sample(
                                "battery_status", 2_000_000 + i * 1_000_000L, 16 - i / 10.0, 100 * i, 1 - i / 20.0, 1);
                    }
                    log.sample(STATUS, 76_000_000, 5, 1, 2);
                },
                FlightLog.STATUS,
                FlightLog.GLOBAL,
                FlightLog.BATTERY);
    }

    /** The rows with this beginning, without padding. */
    private List<String> rows(String begin) {
        return shell.out()
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(begin))
                .toList();
    }

    @Test
    void aStartThatIsNotAfterBootIsNotCalledSo() throws IOException {
        Path telemetry = log(
                log -> {
                    log.log().info("time_origin", "the first record");
                    log.sample(STATUS, 4_000, 4, 1, 2);
                    log.sample(STATUS, 8_000, 4, 1, 2);
                },
                FlightLog.STATUS);

        assertThat(shell.run("info", telemetry)).as(shell.err()).isZero();

        assertThat(rows("Start")).singleElement().asString().contains("after the first record");
    }

    @Test
    void theFlightIsToldInAFewRows() throws IOException {
        assertThat(shell.run("info", flight())).as(shell.err()).isZero();

        assertThat(rows("Vehicle")).containsExactly("Vehicle PX4 quadrotor, airframe 4001");
        assertThat(rows("Start")).containsExactly("Start 1.0 s after boot, UTC not known");
        assertThat(rows("Duration")).containsExactly("Duration 1:15.0");
        assertThat(rows("Armed")).containsExactly("Armed 1:14.0");
        assertThat(rows("Distance")).containsExactly("Distance 111 m");
        assertThat(rows("Altitude"))
                .containsExactly("Altitude up to 10.0 m above start, up to 510.0 m above sea level");
        assertThat(rows("Battery")).containsExactly("Battery used 1,000 mAh, used 50 %, not below 15.00 V");
        assertThat(rows("+"))
                .containsExactly(
                        "+0:00.000 Hold 1.0 s",
                        "+0:01.000 Mission 1:14.0",
                        "+0:01.000 armed 1:14.0",
                        "+1:15.000 Return 0 s");
        assertThat(shell.out().lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void aLogWithoutAFlightHasNoRowsOfIt() throws IOException {
        shell.run("info", Logs.real("yule_powers", directory));

        for (String row : List.of("Armed", "Distance", "Altitude", "Battery", "Time", "From start")) {
            assertThat(rows(row)).isEmpty();
        }
    }

    @Test
    void jsonHasTheFlight() throws IOException {
        assertThat(shell.run("info", "--json", flight())).isZero();

        Map<?, ?> flight =
                (Map<?, ?>) Objects.requireNonNull(JsonTree.read(shell.out()).get("flight"));
        assertThat(flight.keySet().stream().map(String::valueOf))
                .containsExactly(
                        "vehicle",
                        "armed_us",
                        "armed",
                        "modes",
                        "position_source",
                        "distance_m",
                        "max_speed_m_s",
                        "max_height_m",
                        "max_altitude_m",
                        "batteries");
        assertThat(flight.get("vehicle")).isEqualTo("quadrotor");
        assertThat(flight.get("armed_us")).isEqualTo(74_000_000L);
        assertThat(flight.get("armed"))
                .isEqualTo(List.of(Map.of("from_us", 2_000_000L, "to_us", 76_000_000L, "name", "armed")));
        assertThat(flight.get("position_source")).isEqualTo("vehicle_global_position:0");
        assertThat(flight.get("max_speed_m_s")).isEqualTo(Optional.empty());
        assertThat(flight.get("max_altitude_m")).isEqualTo(510.0);
        assertThat(flight.get("batteries"))
                .isEqualTo(List.of(Map.of(
                        "topic", "battery_status:0", "used_mah", 1000.0, "used_percent", 50.0, "min_voltage_v", 15.0)));

        shell.run("info", "--json", Logs.real("yule_powers", directory));
        Map<?, ?> none =
                (Map<?, ?>) Objects.requireNonNull(JsonTree.read(shell.out()).get("flight"));
        assertThat(none.get("armed_us")).isEqualTo(Optional.empty());
        assertThat(none.get("modes")).isEqualTo(List.of());
        assertThat(none.get("vehicle")).isEqualTo(Optional.empty());
    }

    @Test
    void parametersThatAreNotDefaultAreCounted() throws IOException {
        Path log = Logs.real("pyulog_sample_tagged_and_default_params", directory);
        shell.run("params", "--non-default", "--format", "csv", log);
        long expected = shell.out().lines().count() - 1;

        shell.run("info", "--json", log);
        assertThat(JsonTree.read(shell.out()).get("non_default_parameters")).isEqualTo(expected);
        shell.run("info", log);
        assertThat(rows("Parameters")).allMatch(row -> row.contains(expected + " not default"));
        assertThat(expected).isPositive();
    }

    @Test
    void eventsAreAmongTheMessagesAndTheirRepetitionsAreNot() throws IOException {
        Path log = directory.resolve("px4.ulg");
        try (InputStream in =
                new GZIPInputStream(Objects.requireNonNull(Logs.class.getResourceAsStream("px4_events.ulg.gz")))) {
            Files.copy(in, log);
        }
        shell.run("messages", "--json", log);
        List<Object> expected = new ArrayList<>();
        for (String line : shell.out().lines().toList()) {
            expected.add(Objects.requireNonNull(JsonTree.read(line).get("message")));
        }

        shell.run("info", "--json", log);
        Map<String, Object> info = JsonTree.read(shell.out());
        List<Object> texts = new ArrayList<>();
        for (Object text : (List<?>) Objects.requireNonNull(info.get("texts"))) {
            texts.add(Objects.requireNonNull(((Map<?, ?>) text).get("text")));
        }
        assertThat(texts).isEqualTo(expected).contains("No connection to the ground control station");
        assertThat(info.get("events")).isEqualTo(12L);
        shell.run("info", log);
        assertThat(shell.out()).containsOnlyOnce("Takeoff detected").contains("No valid mission available");
    }

    private Path gaps(int count) throws IOException {
        return log(log -> {
            log.log().loggedString(LogLevel.INFO, 1_000_000, "start");
            for (int i = 0; i < count; i++) {
                log.log().dropout(12);
                log.log()
                        .taggedString(
                                LogLevel.WARNING,
                                9,
                                2_000_000 + i * 1_000_000L,
                                "vehicle 1 on a: gap, 2 chunks lost; 4 in this log, 2 dropouts of 18 ms");
            }
            log.log().loggedString(LogLevel.INFO, 90_000_000, "end");
        });
    }

    @Test
    void messagesAboutGapsAreOneLine() throws IOException {
        Path log = gaps(49);

        shell.run("info", log);
        assertThat(rows("+"))
                .containsExactly(
                        "+0:01.000 INFO start",
                        "+0:02.000 WARNING 49 gaps, 588 ms (49 messages; --all-messages lists them)",
                        "+1:30.000 INFO end");
        assertThat(rows("Dropouts")).containsExactly("Dropouts 49, 588 ms");
        assertThat(shell.out()).doesNotContain("more");

        shell.run("info", "--all-messages", log);
        assertThat(rows("+")).hasSize(51);
        assertThat(shell.out()).doesNotContain("--all-messages").contains("2 chunks lost");
    }

    @Test
    void oneGapIsToldAsItIs() throws IOException {
        shell.run("info", gaps(1));

        assertThat(shell.out()).contains("[9] vehicle 1 on a: gap, 2 chunks lost");
    }

    @Test
    void manyMessagesAreCountedUnlessAllAreWanted() throws IOException {
        Path log = log(log1 -> {
            for (int i = 0; i < 3000; i++) {
                log1.log().loggedString(LogLevel.INFO, 1_000_000 + i, "message number " + i);
            }
        });

        shell.run("info", log);
        assertThat(shell.out()).contains("message number 99").doesNotContain("message number 100");
        assertThat(rows("...")).containsExactly("... and 2,900 more");
        shell.run("info", "--all-messages", log);
        assertThat(shell.out()).contains("message number 2999").doesNotContain("... and");
    }

    @Test
    void fieldsOfATopicHaveTypesAndUnits() throws IOException {
        DataFlashBuilder bin = DataFlashBuilder.aLog()
                .fmt(1, "BARO", "QBff", "TimeUS,I,Alt,Press")
                .record("UNIT", 0L, (int) 'm', "m")
                .record("UNIT", 0L, (int) 'P', "Pa")
                .fmtu("BARO", "s#mP", "F---")
                .record("BARO", 1_000L, 0, 5.0, 100_000.0)
                .record("BARO", 2_000L, 1, 5.0, 100_000.0);
        Path log = Files.write(directory.resolve("a.bin"), bin.toByteArray());

        assertThat(shell.run("info", "--fields", "BARO", log)).as(shell.err()).isZero();

        assertThat(shell.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "BARO, 2 instances",
                        "",
                        "Field Type Unit",
                        "timestamp uint64_t us",
                        "I uint8_t instance",
                        "Alt float m",
                        "Press float Pa");
        String all = shell.out();
        assertThat(shell.run("info", "--fields", "BARO:0", log)).isZero();
        assertThat(shell.out()).startsWith("BARO:0" + System.lineSeparator());
        assertThat(all).endsWith(shell.out().substring("BARO:0".length()));
        assertThat(shell.run("info", "--fields", "BARO:9", log)).isEqualTo(1);
        assertThat(shell.run("info", "--fields", "BARA", log)).isEqualTo(1);
        assertThat(shell.err())
                .endsWith(
                        "a.bin: no topic \"BARA\" (did you mean \"BARO\"?); 'mavlogd info --all-topics' lists the topics"
                                + System.lineSeparator());
    }

    @Test
    void nestedFieldsAndArraysAreListed() throws IOException {
        Path log = Logs.real("px4rs_esc_status_log", directory);

        assertThat(shell.run("info", "--fields", "vehicle_attitude", log)).isZero();
        assertThat(rows("q ")).containsExactly("q float[4]");
        assertThat(shell.run("info", "--fields", "esc_status", log)).isZero();
        assertThat(rows("esc[1].esc_rpm")).containsExactly("esc[1].esc_rpm int32_t");
        assertThat(shell.run("info", "--fields", "x", "--json", log)).isEqualTo(2);
    }
}
