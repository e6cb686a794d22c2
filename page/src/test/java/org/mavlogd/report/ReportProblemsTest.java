package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mavlogd.report.ReportJsonText.objects;
import static org.mavlogd.report.ReportJsonText.with;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.ulog.LogLevel;

/** Problems of logs with one fault at a known time. */
class ReportProblemsTest {
    @TempDir
    Path directory;

    private final TestLog log = new TestLog();
    private Map<String, Object> written = Map.of();

    @BeforeEach
    void declareStatus() throws IOException {
        log.format("vehicle_status", "uint8_t arming_state;bool failsafe;uint16_t failure_detector_status;");
    }

    @Test
    void soundFlightHasNone() throws IOException {
        log.format("battery_status", "float voltage_v;").armed(0, true);
        for (int i = 0; i < 100; i++) {
            log.sample("battery_status", i * 0.5, 16 - i * 0.01);
        }
        log.armed(60, false);

        assertThat(objects(problems())).isEmpty();
    }

    @Test
    void vibrationHasItsTimesAndWorstValue() throws IOException {
        log.format("vehicle_imu_status", "float accel_vibration_metric;").armed(0, true);
        for (int i = 0; i <= 100; i++) {
            double value = i >= 30 && i < 50 ? 6 : i == 80 ? 20 : 1;
            log.instance("vehicle_imu_status", 1, i * 0.1, i == 40 ? 11 : value);
        }
        log.armed(20, false);

        Map<String, Object> problem = only("vibration");
        // The single high value at 8 s is too short to count.
        assertThat(problem).containsEntry("severity", "critical").containsEntry("value", 11.0);
        assertThat(ReportJsonText.number(problem, "limit")).isCloseTo(4.905, within(1e-9));
        assertThat(time(problem, "t_us")).isCloseTo(3.0, within(1e-6));
        assertThat(time(problem, "to_us")).isCloseTo(4.9, within(1e-6));
        assertThat(ReportJsonText.text(problem, "source")).contains("Flight Review");
    }

    @Test
    void failsafeIsCritical() throws IOException {
        for (int i = 0; i < 20; i++) {
            log.sample("vehicle_status", i, 2, i >= 7 && i <= 9 ? 1 : 0);
        }
        log.armed(20, false);

        Map<String, Object> problem = only("failsafe");
        assertThat(problem).containsEntry("severity", "critical").containsEntry("text", "Failsafe");
        assertThat(time(problem, "t_us")).isCloseTo(7, within(1e-6));
        assertThat(time(problem, "to_us")).isCloseTo(9, within(1e-6));
    }

    /** ArduPilot's own texts, and those of a mapped record. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Throttle Failsafe",
                "GCS Failsafe - Continuing Auto Mode",
                "RC Short Failsafe On",
                "Mode RTL (radio failsafe)",
                "Mode Hold (failsafe)",
                "Error: battery failsafe, code 1"
            })
    void failsafeOfAnArduPilotIsCritical(String text) throws IOException {
        log.format("cpuload", "float load;").sample("cpuload", 0, 0.1).text(LogLevel.INFO, 7, text);

        Map<String, Object> problem = only("failsafe");
        assertThat(problem).containsEntry("severity", "critical").containsEntry("text", text);
        assertThat(time(problem, "t_us")).isCloseTo(7, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Throttle Failsafe Cleared",
                "RC Short Failsafe Off",
                "Error resolved: battery failsafe",
                "Mode Auto (radio failsafe recovery)",
                "Mode Hold (GCS command)",
                "Failsafe options are set"
            })
    void theEndOfAFailsafeIsNoProblem(String text) throws IOException {
        log.format("cpuload", "float load;").sample("cpuload", 0, 0.1).text(LogLevel.INFO, 7, text);

        assertThat(objects(problems())).isEmpty();
    }

    @Test
    void gpsCountsAsLostOnlyAfterItWasThere() throws IOException {
        log.format("vehicle_gps_position", "uint8_t fix_type;uint8_t satellites_used;");
        for (int i = 0; i < 60; i++) {
            boolean isThere = i >= 10 && (i < 40 || i >= 50);
            log.sample("vehicle_gps_position", i * 0.2, isThere ? 3 : 0, isThere ? 12 : 2);
        }

        List<Map<String, Object>> lost = with(problems(), "severity", "critical");
        assertThat(lost).hasSize(1);
        assertThat(time(lost.get(0), "t_us")).isCloseTo(8, within(1e-6));
        assertThat(time(lost.get(0), "to_us")).isCloseTo(9.8, within(1e-6));
        assertThat(with(problems(), "kind", "gps")).hasSize(2);
    }

    @Test
    void batteryThatDipsSags() throws IOException {
        log.format("battery_status", "float voltage_v;uint8_t warning;").armed(0, true);
        for (int i = 0; i < 100; i++) {
            log.sample("battery_status", i * 0.1, i >= 60 && i < 64 ? 12.5 : 16);
        }
        log.armed(20, false);

        Map<String, Object> problem = only("battery");
        assertThat(ReportJsonText.text(problem, "text")).contains("dips to 12.5 V");
        assertThat(time(problem, "t_us")).isCloseTo(6, within(1e-6));
        assertThat(time(problem, "to_us")).isCloseTo(6.3, within(1e-6));
    }

    @Test
    void resetsCountWhileArmedOnly() throws IOException {
        log.format("vehicle_local_position", "uint8_t xy_reset_counter;");
        for (int i = 0; i < 100; i++) {
            if (i == 50) {
                log.armed(5, true);
            }
            log.sample("vehicle_local_position", i * 0.1, i < 20 ? 0 : i < 70 ? 1 : 3);
        }
        log.armed(20, false);

        Map<String, Object> problem = only("estimator");
        assertThat(problem).containsEntry("value", 2.0);
        assertThat(time(problem, "t_us")).isCloseTo(7, within(1e-6));
    }

    @Test
    void companionThatIsHotOrFullIsTold() throws IOException {
        log.format("companion_temperature", "float temperature;char[32] name;")
                .format("companion_storage", "uint64_t total;uint64_t available;")
                .format("companion_throttling", "bool under_voltage;");
        for (int i = 0; i < 30; i++) {
            log.sample("companion_temperature", i, i < 20 ? 60 : 83, 'c', 'p', 'u');
            log.sample("companion_storage", i, 1e10, i < 25 ? 5e9 : 1e8);
            log.sample("companion_throttling", i, i == 12 ? 1 : 0);
        }

        assertThat(objects(problems()))
                .extracting(problem -> problem.get("kind"))
                .containsOnly("companion");
        assertThat(objects(problems()))
                .extracting(problem -> problem.get("text"))
                .containsExactly(
                        "Companion computer: supply voltage too low",
                        "Companion computer: disk full, 1 % of it is free",
                        "Companion computer: temperature of cpu up to 83 °C");
    }

    @Test
    void dropoutsWithinASecondAreOneGap() throws IOException {
        log.format("cpuload", "float load;");
        for (int i = 0; i < 100; i++) {
            log.sample("cpuload", i * 0.1, 0.2);
            if (i == 30 || i == 33 || i == 80) {
                log.dropout(i == 80 ? 1500 : 100);
            }
        }

        List<Map<String, Object>> gaps = with(problems(), "kind", "gap");
        assertThat(gaps).hasSize(2);
        assertThat(gaps.get(0)).containsEntry("severity", "critical").containsEntry("value", 1.5);
        assertThat(gaps.get(1)).containsEntry("value", 0.2);
        assertThat(gaps.get(1).get("text")).isEqualTo("Log data of 200 ms is missing, in 2 gaps");
        assertThat(time(gaps.get(1), "t_us")).isCloseTo(3, within(1e-6));
    }

    @Test
    void samplesThatNeverCameAreAGap() throws IOException {
        log.format("vehicle_attitude", "float[4] q;");
        for (int i = 0; i < 200; i++) {
            log.sample("vehicle_attitude", i * 0.02 + (i >= 100 ? 1 : 0), 1);
        }

        Map<String, Object> problem = only("gap");
        assertThat(problem.get("text")).isEqualTo("No samples of attitude for 1,020 ms");
        assertThat(problem).containsEntry("severity", "critical");
        assertThat(time(problem, "t_us")).isCloseTo(1.98, within(1e-6));
        assertThat(time(problem, "to_us")).isCloseTo(3, within(1e-6));
    }

    @Test
    void errorsThatRepeatAreOneProblem() throws IOException {
        log.format("cpuload", "float load;");
        for (int i = 0; i < 10; i++) {
            log.text(LogLevel.ERROR, i, "sensor " + i + " lost").sample("cpuload", i, 0.1);
        }
        log.text(LogLevel.CRITICAL, 10, "motor failure").text(LogLevel.WARNING, 11, "only a warning");

        assertThat(objects(problems()))
                .extracting(problem -> problem.get("text"))
                .containsExactly("motor failure", "sensor 0 lost (10 times)");
    }

    @Test
    void endInTheAirIsTold() throws IOException {
        log.armed(0, true).armed(5, true);

        assertThat(only("end").get("text")).isEqualTo("The log ends while the vehicle is armed");
    }

    @Test
    void thousandsOfIntervalsAreCounted() throws IOException {
        log.format("vehicle_gps_position", "uint8_t jamming_state;");
        for (int i = 0; i < 3000; i++) {
            log.sample("vehicle_gps_position", i * 3, i % 2 == 0 ? 2 : 0);
        }

        List<Map<String, Object>> jammed = with(problems(), "kind", "gps");
        assertThat(jammed).hasSize(101);
        assertThat(jammed)
                .anyMatch(problem -> ReportJsonText.text(problem, "text").endsWith("1,400 more times"));
    }

    private Object problems() throws IOException {
        if (written.isEmpty()) {
            written = ReportJsonText.parsed(log.write(directory));
        }
        return Objects.requireNonNull(written.get("problems"));
    }

    private Map<String, Object> only(String kind) throws IOException {
        List<Map<String, Object>> all = objects(problems());
        assertThat(all).as("problems").hasSize(1);
        assertThat(all.get(0)).containsEntry("kind", kind);
        return all.get(0);
    }

    private static double time(Map<String, Object> problem, String field) {
        return (ReportJsonText.number(problem, field) - TestLog.START_US) / 1e6;
    }
}
