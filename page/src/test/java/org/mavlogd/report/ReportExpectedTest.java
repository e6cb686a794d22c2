package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.mavlogd.report.ReportJsonText.numbers;
import static org.mavlogd.report.ReportJsonText.object;
import static org.mavlogd.report.ReportJsonText.objects;
import static org.mavlogd.report.ReportJsonText.with;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares figures, problems, plots and spectra with values that src/test/python/expected.py calculated from the same
 * logs with numpy and its own reader.
 */
class ReportExpectedTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");

    /** The texts by which the report names problems of a kind. */
    private static final Map<String, String> TEXTS = Map.of(
            "vibration", "Vibration of",
            "memory", "Memory of the autopilot",
            "cpu", "CPU load of the autopilot",
            "failsafe", "Failsafe",
            "low_charge", "Low charge",
            "gps", "GPS has no position",
            "dropouts", "Log data of");

    @TestFactory
    Stream<DynamicTest> reportsAgreeWithAnotherReader() throws IOException {
        try (InputStream in = ReportExpectedTest.class.getResourceAsStream("expected.json")) {
            Map<String, Object> expected =
                    object(ReportJsonText.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            assertThat(expected).hasSizeGreaterThanOrEqualTo(6);
            return expected.entrySet().stream()
                    .map(log ->
                            DynamicTest.dynamicTest(log.getKey(), () -> check(log.getKey(), object(log.getValue()))));
        }
    }

    /** A setpoint can be compared with the controller's own measurement: ArduRover 4.7-dev logs both in centimetres. */
    @Test
    void anArduPilotsSetpointsAreBesideWhatItsControllerMeasured() throws IOException {
        Map<String, Object> report =
                ReportJsonText.parsed(ROOT.resolve("test-data/captures/ardupilot/s1_clean_rover.mav.bin.gz"));

        for (String path : List.of("local_position/North", "local_position/East", "velocity/North", "velocity/East")) {
            double measured = furthest(series(report, "plots", path));
            double wanted = furthest(series(report, "plots", path + " setpoint"));
            assertThat(measured / wanted).as(path).isBetween(0.5, 2.0);
        }
    }

    private static double furthest(Map<String, Object> series) {
        double most = Arrays.stream(numbers(series.getOrDefault("max", series.get("min"))))
                .filter(Double::isFinite)
                .max()
                .orElseThrow();
        return Math.max(
                most,
                -Arrays.stream(numbers(series.get("min")))
                        .filter(Double::isFinite)
                        .min()
                        .orElseThrow());
    }

    private static void check(String log, Map<String, Object> expected) throws IOException {
        Map<String, Object> report = ReportJsonText.parsed(ROOT.resolve(log));
        figures(report, object(expected.get("figures")));
        problems(report, object(expected.get("problems")));
        object(expected.get("plots")).forEach((name, series) -> plot(report, name, object(series)));
        object(expected.get("spectra")).forEach((name, series) -> spectrum(report, name, object(series)));
    }

    private static void figures(Map<String, Object> report, Map<String, Object> expected) {
        assertThat(expected).hasSizeGreaterThan(8);
        expected.forEach((id, value) -> {
            double wanted = (Double) value;
            double share = 1e-6;
            assertThat(with(report.get("figures"), "id", id)).as(id).hasSize(1);
            assertThat((Double) with(report.get("figures"), "id", id).get(0).get("value"))
                    .as(id)
                    .isCloseTo(wanted, within(1e-6 + share * Math.abs(wanted)));
        });
    }

    private static void problems(Map<String, Object> report, Map<String, Object> expected) {
        expected.forEach((kind, intervals) -> {
            List<double[]> wanted = ((List<?>) intervals)
                    .stream()
                            .map(ReportJsonText::numbers)
                            .sorted(Comparator.comparingDouble((double[] interval) -> interval[0])
                                    .thenComparingDouble(interval -> interval[2]))
                            .toList();
            List<double[]> found = objects(report.get("problems")).stream()
                    .filter(problem -> !ReportJsonText.text(problem, "kind").equals("message"))
                    .filter(problem -> ReportJsonText.text(problem, "text").startsWith(TEXTS.get(kind)))
                    .map(problem -> new double[] {
                        ReportJsonText.number(problem, "t_us"),
                        (Double) problem.getOrDefault("to_us", problem.get("t_us")),
                        ReportJsonText.number(problem, "value")
                    })
                    .sorted(Comparator.comparingDouble((double[] interval) -> interval[0])
                            .thenComparingDouble(interval -> interval[2]))
                    .toList();
            assertThat(found).as(kind).hasSameSizeAs(wanted);
            for (int i = 0; i < wanted.size(); i++) {
                assertThat(found.get(i)).as(kind).containsExactly(wanted.get(i), within(1e-4));
            }
        });
    }

    /** {@code PLOT/NAME}, where NAME is a series' name or field. */
    private static Map<String, Object> series(Map<String, Object> report, String list, String path) {
        String[] parts = path.split("/", 2);
        List<Map<String, Object>> plots = with(report.get(list), "id", parts[0]);
        assertThat(plots).as(path).hasSize(1);
        return objects(plots.get(0).get("series")).stream()
                .filter(series -> parts[1].equals(series.get("name")) || parts[1].equals(series.get("field")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no series " + path));
    }

    private static void plot(Map<String, Object> report, String path, Map<String, Object> expected) {
        Map<String, Object> series = series(report, "plots", path);
        double[] least = numbers(series.get("min"));
        double[] most = numbers(series.getOrDefault("max", series.get("min")));
        double[] times = numbers(series.get("t_us"));
        double range = ReportJsonText.number(expected, "max") - ReportJsonText.number(expected, "min");
        double digits = 2e-5 * (1 + range + Math.abs(ReportJsonText.number(expected, "max")));

        assertThat(series.get("samples")).as(path).isEqualTo(expected.get("samples"));
        assertThat(Arrays.stream(least).filter(Double::isFinite).min().orElseThrow())
                .as(path)
                .isCloseTo(ReportJsonText.number(expected, "min"), within(digits));
        assertThat(Arrays.stream(most).filter(Double::isFinite).max().orElseThrow())
                .as(path)
                .isCloseTo(ReportJsonText.number(expected, "max"), within(digits));
        assertThat(times[0]).as(path).isEqualTo(ReportJsonText.number(expected, "first_us"));
        assertThat(times).as(path).isSorted().hasSizeLessThanOrEqualTo(2400);
        assertThat(times[times.length - 1]).as(path).isLessThanOrEqualTo(ReportJsonText.number(expected, "last_us"));
    }

    private static void spectrum(Map<String, Object> report, String path, Map<String, Object> expected) {
        Map<String, Object> series = series(report, "spectra", path);
        double[] wanted = numbers(expected.get("density"));
        double[] found = numbers(series.get("density"));

        assertThat(series.get("windows")).as(path).isEqualTo(expected.get("windows"));
        assertThat(ReportJsonText.number(series, "rate_hz"))
                .as(path)
                .isCloseTo(ReportJsonText.number(expected, "rate_hz"), within(1e-2));
        assertThat(found).hasSameSizeAs(wanted);
        double power = Arrays.stream(wanted).sum();
        for (int i = 0; i < wanted.length; i++) {
            assertThat(found[i])
                    .as("%s, bin %d", path, i)
                    .isCloseTo(wanted[i], within(1e-5 * wanted[i] + 1e-12 * power));
        }
    }
}
