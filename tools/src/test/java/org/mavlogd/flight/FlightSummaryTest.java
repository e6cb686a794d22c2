package org.mavlogd.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.flight.FlightSummary.Interval;
import org.mavlogd.logtools.FlightLog;
import org.mavlogd.logtools.Logs;
import org.mavlogd.logtools.Progress;
import org.mavlogd.survey.LogSurvey;

/** Compares the facts of flights with figures that were computed independently. */
class FlightSummaryTest {
    private static final String GLOBAL = "vehicle_global_position";
    private static final String STATUS = "vehicle_status";
    private static final Offset<Double> CENTIMETRES = within(0.05);

    /** A degree of latitude on a sphere with PX4's radius of the earth. */
    private static final double DEGREE_M = 2 * Math.PI * 6_371_000 / 360;

    @TempDir
    private Path directory = Path.of(".");

    /** Writes the contents of a test's log. */
    @FunctionalInterface
    private interface Contents {
        void write(FlightLog log) throws IOException;
    }

    private int logs;

    private FlightSummary px4(Contents contents, String... formats) throws IOException {
        Path file = directory.resolve("log" + logs++ + ".ulg");
        try (FlightLog log = new FlightLog(file, formats)) {
            contents.write(log);
        }
        return summary(file);
    }

    private static FlightSummary summary(Path file) throws IOException {
        return LogSurvey.of(file, Progress.NONE).flight();
    }

    private static List<String> texts(List<Interval> intervals) {
        return intervals.stream()
                .map(interval -> interval.name() + " " + interval.fromUs() + " " + interval.toUs())
                .toList();
    }

    @Test
    void modesAndArmedTimesFollowTheStatus() throws IOException {
        FlightSummary flight = px4(
                log -> log.sample(STATUS, 1_000_000, 4, 1, 10)
                        .sample(STATUS, 2_000_000, 4, 2, 10)
                        .sample(STATUS, 3_000_000, 3, 2, 10)
                        .sample(STATUS, 4_000_000, 3, 2, 10)
                        .sample(STATUS, 5_000_000, 5, 1, 10)
                        .sample(STATUS, 6_000_000, 5, 2, 10)
                        .sample(STATUS, 8_000_000, 5, 2, 10),
                FlightLog.STATUS);

        assertThat(texts(flight.modes()))
                .containsExactly("Hold 1000000 3000000", "Mission 3000000 5000000", "Return 5000000 8000000");
        assertThat(texts(flight.armed())).containsExactly("armed 2000000 5000000", "armed 6000000 8000000");
        assertThat(flight.armedUs()).isEqualTo(5_000_000);
        assertThat(flight.vehicleKind()).isEqualTo("rover");
        assertThat(flight.way().source()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, Manual",
        "15, 0, Stabilized",
        "6, 17, Position Slow",
        "6, 12, RC recovery",
        "7, 18, Guided Course",
        "7, 14, Return (data link lost)",
        "8, 17, Altitude Cruise",
        "9, 12, Land (GPS failure)",
        "8, 12, Land (engine failure)",
        "23, 17, External 1",
        "30, 17, External 8",
        "31, 17, mode 31",
        "200, 0, mode 200"
    })
    void numbersOfModesMeanWhatTheirReleaseMeans(int navState, int minor, String name) {
        assertThat(FlightModes.px4(navState, minor == 0 ? 0 : 0x0100_00FFL | (long) minor << 16))
                .isEqualTo(name);
    }

    @Test
    void wayCountsWhileArmed() throws IOException {
        FlightSummary flight = px4(
                log -> {
                    log.sample(GLOBAL, 500_000, 10, 20, 90, 1, 1);
                    log.sample(STATUS, 1_000_000, 4, 2, 2);
                    for (int i = 0; i <= 100; i++) {
                        log.sample(GLOBAL, 1_100_000 + i * 100_000L, 10 + i * 1e-5, 20, 100 + i / 10.0, 1, 1);
                    }
                    log.sample(STATUS, 12_000_000, 4, 1, 2);
                    log.sample(GLOBAL, 12_100_000, 10.5, 20, 500, 1, 1);
                },
                FlightLog.GLOBAL,
                FlightLog.STATUS);

        FlightWay.Result way = flight.way();
        assertThat(way.source()).contains("vehicle_global_position:0");
        assertThat(way.distanceM().orElseThrow()).isCloseTo(100 * 1e-5 * DEGREE_M, within(0.1));
        assertThat(way.maximumHeightM().orElseThrow()).isCloseTo(10, CENTIMETRES);
        assertThat(way.maximumAltitudeM().orElseThrow()).isCloseTo(110, CENTIMETRES);
        assertThat(way.maximumSpeedMS()).isEmpty();
    }

    @Test
    void noiseAtRestIsNoWayAndACorrectionIsNone() throws IOException {
        Random random = new Random(7);
        FlightSummary flight = px4(
                log -> {
                    for (int i = 0; i < 2000; i++) {
                        double noise = 5e-7 * random.nextDouble();
                        log.sample(GLOBAL, 1_000_000 + i * 100_000L, 10 + noise + (i < 1000 ? 0 : 1), 20, 0, 1, 1);
                    }
                },
                FlightLog.GLOBAL);

        assertThat(flight.way().distanceM()).hasValue(0);
    }

    @Test
    void aPositionThatIsNoneCountsNowhere() throws IOException {
        FlightSummary flight = px4(
                log -> log.sample(GLOBAL, 1_000_000, 0, 0, 5, 1, 1)
                        .sample(GLOBAL, 1_100_000, 10, 20, 5, 0, 1)
                        .sample(GLOBAL, 1_200_000, Double.NaN, 20, 5, 1, 1)
                        .sample(GLOBAL, 1_300_000, 90.1, 20, 5, 1, 1)
                        .sample(GLOBAL, 1_400_000, 10, -180.1, 5, 1, 1)
                        .sample(GLOBAL, 1_500_000, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 5, 1, 1),
                FlightLog.GLOBAL);

        assertThat(flight.way().source()).isEmpty();
        assertThat(flight.way().distanceM()).isEmpty();
    }

    @Test
    void receiversOfOldAndNewFirmwareTell() throws IOException {
        FlightSummary old = px4(
                log -> {
                    for (int i = 0; i <= 10; i++) {
                        log.sample(
                                "vehicle_gps_position",
                                1_000_000 + i * 200_000L,
                                100_000_000 + i * 1000,
                                -200_000_000,
                                12_345 + i,
                                i,
                                0,
                                3);
                    }
                },
                FlightLog.OLD_GPS);
        assertThat(old.way().source()).contains("vehicle_gps_position:0");
        assertThat(old.way().distanceM().orElseThrow()).isCloseTo(10 * 1e-4 * DEGREE_M, CENTIMETRES);
        assertThat(old.way().maximumAltitudeM().orElseThrow()).isCloseTo(12.355, within(1e-6));
        assertThat(old.way().maximumSpeedMS()).hasValue(10);

        FlightSummary two = px4(
                log -> {
                    for (int i = 0; i <= 10; i++) {
                        log.sampleOf("sensor_gps", 0, 1_000_000 + i * 200_000L, 0, 0, 0, 0, 1);
                        log.sampleOf(
                                "sensor_gps", 1, 1_000_000 + i * 200_000L, 10 + i * 1e-4, 180, 7, 2, i < 5 ? 2 : 3);
                    }
                },
                FlightLog.NEW_GPS);
        assertThat(two.way().source()).contains("sensor_gps:1");
        assertThat(two.way().distanceM().orElseThrow()).isCloseTo(10 * 1e-4 * DEGREE_M, CENTIMETRES);
        assertThat(two.way().maximumAltitudeM()).hasValue(7);
    }

    @Test
    void theLocalPositionIsAPlaceOnlyWithAReference() throws IOException {
        for (double isGlobal : new double[] {0, 1}) {
            FlightSummary flight = px4(
                    log -> {
                        for (int i = 0; i <= 100; i++) {
                            log.sample(
                                    "vehicle_local_position",
                                    1_000_000 + i * 100_000L,
                                    3 * i,
                                    4 * i,
                                    -i,
                                    3,
                                    4,
                                    47,
                                    8,
                                    400,
                                    1,
                                    1,
                                    1,
                                    isGlobal,
                                    isGlobal);
                        }
                    },
                    FlightLog.LOCAL);

            FlightWay.Result way = flight.way();
            assertThat(way.source().isPresent()).isEqualTo(isGlobal == 1);
            assertThat(way.distanceM().orElseThrow()).isCloseTo(500, CENTIMETRES);
            assertThat(way.maximumHeightM().orElseThrow()).isCloseTo(100, CENTIMETRES);
            assertThat(way.maximumAltitudeM().isPresent()).isEqualTo(isGlobal == 1);
            assertThat(way.maximumSpeedMS()).hasValue(5);
        }
    }

    @Test
    void anEstimateOfAMomentGivesWayToTheReceiver() throws IOException {
        FlightSummary flight = px4(
                log -> {
                    log.sample(GLOBAL, 1_000_000, 10, 20, 5, 1, 1).sample(GLOBAL, 1_100_000, 10, 20, 5, 1, 1);
                    for (int i = 0; i <= 100; i++) {
                        log.sample("sensor_gps", 1_000_000 + i * 200_000L, 10, 20, 5, 0, 3);
                    }
                },
                FlightLog.GLOBAL,
                FlightLog.NEW_GPS);

        assertThat(flight.way().source()).contains("sensor_gps:0");
    }

    @Test
    void batteriesGiveChargeShareAndLowestVoltage() throws IOException {
        FlightSummary flight = px4(
                log -> log.sampleOf("battery_status", 0, 1_000_000, 16.8, 10, 1, 1)
                        .sampleOf("battery_status", 0, 2_000_000, 14.25, 500, 0.75, 1)
                        .sampleOf("battery_status", 0, 3_000_000, 15.5, 1010, 0.5, 1)
                        .sampleOf("battery_status", 0, 4_000_000, 0, 0, 0, 0)
                        .sampleOf("battery_status", 1, 1_000_000, 12, -1, -1, 1)
                        .sampleOf("battery_status", 2, 1_000_000, 0, -1, -1, 0),
                FlightLog.BATTERY);

        assertThat(flight.batteries()).hasSize(2);
        FlightBatteries.Battery first = flight.batteries().get(0);
        assertThat(first.topic()).isEqualTo("battery_status:0");
        assertThat(first.usedMah()).hasValue(1000);
        assertThat(first.usedPercent()).hasValue(50);
        assertThat(first.minimumVolts()).hasValue(14.25);
        FlightBatteries.Battery second = flight.batteries().get(1);
        assertThat(second.usedMah()).isEmpty();
        assertThat(second.usedPercent()).isEmpty();
        assertThat(second.minimumVolts()).hasValue(12);
    }

    private static DataFlashBuilder arduPilot() {
        return DataFlashBuilder.aLog()
                .fmt(1, "POS", "QLLfff", "TimeUS,Lat,Lng,Alt,RelHomeAlt,RelOriginAlt")
                .fmt(2, "GPS", "QBBLLef", "TimeUS,I,Status,Lat,Lng,Alt,Spd")
                .fmt(3, "MODE", "QMBB", "TimeUS,Mode,ModeNum,Rsn")
                .fmt(4, "ARM", "QBIBB", "TimeUS,ArmState,ArmChecks,Forced,Method")
                .fmt(5, "EV", "QB", "TimeUS,Id")
                .fmt(6, "VER", "QBHBBB", "TimeUS,BT,BST,Maj,Min,BU")
                .fmt(7, "BAT", "QBffB", "TimeUS,Inst,Volt,CurrTot,RemPct");
    }

    @Test
    void logsOfArduPilotTellTheSame() throws IOException {
        DataFlashBuilder log = arduPilot()
                .record("VER", 1_000L, 3, 0, 4, 7, 1)
                .record("MODE", 1_000_000L, 4, 4, 1)
                .record("EV", 2_000_000L, 10)
                .record("ARM", 2_000_001L, 1, 0, 0, 1)
                .record("MODE", 3_000_000L, 10, 10, 2)
                .record("BAT", 3_000_000L, 0, 12.5, 100, 90);
        for (int i = 0; i <= 10; i++) {
            log.record("GPS", 3_000_000L + i * 100_000L, 0, 3, 0L, 0L, 0, i);
            log.record("POS", 3_000_000L + i * 100_000L, 470_000_000L + i * 1000L, -80_000_000L, 500 + i, i, i);
        }
        log.record("BAT", 4_500_000L, 0, 12, 350, 80)
                .record("EV", 5_000_000L, 11)
                .record("EV", 6_000_000L, 15);
        Path file = Files.write(directory.resolve("a.bin"), log.toByteArray());

        FlightSummary flight = summary(file);

        assertThat(flight.vehicleKind()).isEqualTo("rover");
        assertThat(texts(flight.modes())).containsExactly("Hold 1000000 3000000", "Auto 3000000 6000000");
        assertThat(texts(flight.armed())).containsExactly("armed 2000000 5000000");
        assertThat(flight.way().source()).contains("POS:0");
        assertThat(flight.way().distanceM().orElseThrow()).isCloseTo(10 * 1e-4 * DEGREE_M, CENTIMETRES);
        assertThat(flight.way().maximumHeightM()).hasValue(10);
        assertThat(flight.way().maximumSpeedMS()).hasValue(10);
        assertThat(flight.batteries()).hasSize(1);
        assertThat(flight.batteries().get(0).usedMah()).hasValue(250);
        assertThat(flight.batteries().get(0).usedPercent()).hasValue(10);
    }

    @Test
    void arduPilotsReceiverTellsAltitudesInCentimetres() throws IOException {
        DataFlashBuilder log = arduPilot();
        for (int i = 0; i <= 10; i++) {
            log.record("GPS", 3_000_000L + i * 100_000L, 1, i < 5 ? 1 : 4, 470_000_000L, 80_000_000L, 12_345, 0);
        }
        Path file = Files.write(directory.resolve("a.bin"), log.toByteArray());

        assertThat(summary(file).way().source()).contains("GPS:0");
        assertThat(summary(file).way().maximumAltitudeM()).hasValue(123.45);
    }

    /**
     * A few lines of Python computed the figures from the tables of {@code export csv}: haversine, steps of 0.1 m,
     * while armed.
     */
    @ParameterizedTest
    @CsvSource({
        // log, source, distance, speed, height
        "px4rs_esc_status_log, vehicle_global_position:0, 76.88, 5.8864, 3.0918",
        "px4rs_6ba1abc7, vehicle_global_position:0, 0, 0.0614, 0.0071",
        "pyulog_sample_log_small, vehicle_gps_position:0, 1.87, 0.275, 0"
    })
    void realLogsTellWhatTheirTablesTell(String name, String source, double distance, double speed, double height)
            throws IOException {
        FlightWay.Result way = summary(Logs.real(name, directory)).way();

        assertThat(way.source()).contains(source);
        assertThat(way.distanceM().orElse(-1)).isCloseTo(distance, within(0.1));
        assertThat(way.maximumSpeedMS().orElse(-1)).isCloseTo(speed, within(1e-3));
        assertThat(way.maximumHeightM().orElse(-1)).isCloseTo(height, within(1e-3));
    }

    @Test
    void anyNumbersGiveFiguresOrNone() throws IOException {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            FlightSummary flight = px4(
                    log -> {
                        for (int i = 0; i < 200; i++) {
                            wild(log, random);
                        }
                    },
                    FlightLog.GLOBAL,
                    FlightLog.OLD_GPS,
                    FlightLog.LOCAL,
                    FlightLog.STATUS,
                    FlightLog.BATTERY);

            FlightWay.Result way = flight.way();
            List<Double> figures = new ArrayList<>();
            way.distanceM().ifPresent(figures::add);
            way.maximumSpeedMS().ifPresent(figures::add);
            way.maximumAltitudeM().ifPresent(value -> figures.add(Math.abs(value)));
            way.maximumHeightM().ifPresent(figures::add);
            assertThat(figures).as("seed " + seed).allMatch(value -> value >= 0 && value < 1e10);
        }
    }

    private static void wild(FlightLog log, Random random) throws IOException {
        long us = random.nextInt(50) == 0 ? random.nextLong() : random.nextInt(100_000_000);
        switch (random.nextInt(5)) {
            case 0 -> log.sample(GLOBAL, us, wild(random), wild(random), wild(random), 1, 1);
            case 1 ->
                log.sample(
                        "vehicle_gps_position",
                        us,
                        random.nextInt(),
                        random.nextInt(),
                        random.nextInt(),
                        wild(random),
                        (double) random.nextLong(),
                        random.nextInt(6));
            case 2 ->
                log.sample(
                        "vehicle_local_position",
                        us,
                        wild(random),
                        wild(random),
                        wild(random),
                        wild(random),
                        wild(random),
                        wild(random),
                        wild(random),
                        wild(random),
                        1,
                        1,
                        1,
                        1,
                        1);
            case 3 -> log.sample(STATUS, us, random.nextInt(256), random.nextInt(4), random.nextInt(256));
            default -> log.sample("battery_status", us, wild(random), wild(random), wild(random), 1);
        }
    }

    private static double wild(Random random) {
        double[] special = {Double.NaN, Double.POSITIVE_INFINITY, -1, 0, 1e300, -1e300, Double.MIN_VALUE};
        return random.nextInt(10) == 0 ? special[random.nextInt(special.length)] : random.nextDouble() * 400 - 200;
    }
}
