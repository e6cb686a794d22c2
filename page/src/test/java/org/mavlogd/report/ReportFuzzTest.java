package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.report.ReportJsonText.numbers;
import static org.mavlogd.report.ReportJsonText.object;
import static org.mavlogd.report.ReportJsonText.objects;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.report.fields.Definitions;
import org.mavlogd.report.fields.Definitions.Definition;
import org.mavlogd.report.fields.Definitions.Line;
import org.mavlogd.report.fields.Expression;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogException;

/** Damaged, truncated and meaningless logs: each gives a valid report, or an error with a reason. */
class ReportFuzzTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
    private static final String[] TYPES = {
        "int8_t",
        "uint8_t",
        "int16_t",
        "uint16_t",
        "int32_t",
        "uint32_t",
        "int64_t",
        "uint64_t",
        "float",
        "double",
        "bool"
    };

    @TempDir
    Path directory;

    static Stream<Path> logs() throws IOException {
        List<Path> logs = new ArrayList<>();
        for (String folder :
                List.of("ulog-writer/src/test/resources", "simulator/src/demo", "tools/src/test/resources")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".ulg.gz"))
                        .sorted()
                        .forEach(logs::add);
            }
        }
        try (Stream<Path> files = Files.walk(ROOT.resolve("test-data/captures/ardupilot"))) {
            files.filter(file -> file.toString().endsWith(".bin.gz")).sorted().forEach(logs::add);
        }
        assertThat(logs).hasSizeGreaterThan(15);
        return logs.stream();
    }

    @ParameterizedTest
    @MethodSource("logs")
    void everyLogGivesAReport(Path log) throws IOException {
        check(ReportJsonText.of(log));
    }

    @Test
    void damagedLogsGiveAReportOrAnError() throws IOException {
        long seed = System.nanoTime();
        System.out.println("ReportFuzzTest.damagedLogs seed " + seed);
        Random random = new Random(seed);
        int reports = 0;
        for (String name : List.of(
                "ulog-writer/src/test/resources/org/mavlogd/ulog/pyulog_sample_appended_multiple.ulg.gz",
                "test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz")) {
            byte[] sound = unpacked(ROOT.resolve(name));
            for (int i = 0; i < 8; i++) {
                Path file = directory.resolve("damaged" + (name.contains(".bin") ? ".bin" : ".ulg"));
                Files.write(file, damaged(sound, random));
                reports += isReported(file, seed) ? 1 : 0;
            }
        }
        assertThat(reports).as("seed %d", seed).isGreaterThan(8);
    }

    @Test
    void nonsenseInEveryFieldGivesAReport() throws IOException {
        long seed = System.nanoTime();
        System.out.println("ReportFuzzTest.nonsense seed " + seed);
        for (int round = 0; round < 25; round++) {
            Random random = new Random(seed + round);
            Path file = nonsense(random).write(directory, "nonsense.ulg");
            try {
                check(ReportJsonText.of(file));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + (seed + round), e);
            }
        }
    }

    /** A log truncated anywhere, with bytes changed or a part missing. */
    private static byte[] damaged(byte[] sound, Random random) {
        byte[] bytes = sound.clone();
        int flips = random.nextInt(40);
        for (int i = 0; i < flips; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        if (random.nextBoolean()) {
            int from = random.nextInt(bytes.length);
            int length = Math.min(bytes.length - from, random.nextInt(5000));
            System.arraycopy(bytes, from + length, bytes, from, bytes.length - from - length);
            bytes = Arrays.copyOf(bytes, bytes.length - length);
        }
        return random.nextInt(3) > 0 ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }

    private static boolean isReported(Path file, long seed) throws IOException {
        try {
            check(ReportJsonText.of(file));
            return true;
        } catch (ULogException e) {
            assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).{10,}");
            return false;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** The topics and fields that reports use, with unexpected types, values and times. */
    private static TestLog nonsense(Random random) throws IOException {
        TestLog log = new TestLog();
        List<Expression> expressions = new ArrayList<>();
        for (String resource : List.of("plots.txt", "rules.txt")) {
            for (Definition definition : Definitions.load(ReportTally.class, resource)) {
                for (Line line : definition.lines()) {
                    expressions.addAll(line.alternatives());
                }
            }
        }
        List<String> topics = new ArrayList<>();
        for (String topic :
                expressions.stream().map(Expression::topic).distinct().toList()) {
            if (random.nextInt(4) == 0) {
                log.format(topic, fields(expressions, topic, random));
                topics.add(topic);
            }
        }
        log.text(LogLevel.ERROR, 0, "nonsense");
        for (int i = 0; i < 3000 && !topics.isEmpty(); i++) {
            double[] values = random.doubles(40).map(value -> value(random)).toArray();
            double seconds = random.nextInt(200) == 0 ? random.nextDouble() * 1e9 : i * 0.01;
            log.instance(
                    topics.get(random.nextInt(topics.size())), random.nextInt(3) * random.nextInt(9), seconds, values);
            if (random.nextInt(500) == 0) {
                log.dropout(random.nextInt(5000));
            }
        }
        return log;
    }

    private static String fields(List<Expression> expressions, String topic, Random random) {
        StringBuilder fields = new StringBuilder();
        List<String> names = expressions.stream()
                .filter(expression -> expression.topic().equals(topic))
                .flatMap(expression -> expression.fields().stream())
                .map(field -> field.replaceAll("[.\\[].*", ""))
                .distinct()
                .toList();
        for (String name : names) {
            String array = random.nextInt(3) == 0 ? "[" + (1 + random.nextInt(6)) + "]" : "";
            fields.append(TYPES[random.nextInt(TYPES.length)])
                    .append(array)
                    .append(' ')
                    .append(name)
                    .append(';');
        }
        return fields.append("char[")
                .append(1 + random.nextInt(40))
                .append("] name;")
                .toString();
    }

    private static double value(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> Double.NaN;
            case 1 -> Double.POSITIVE_INFINITY;
            case 2 -> -Double.MAX_VALUE;
            case 3 -> 0;
            case 4 -> random.nextGaussian() * 1e30;
            default -> random.nextGaussian() * 100;
        };
    }

    private static byte[] unpacked(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Checks the promises of every report. */
    private static void check(String json) throws IOException {
        // Compares positions instead of the text: a failure would print all of it.
        assertThat(json.indexOf('<') + json.indexOf('>')).isEqualTo(-2);
        assertThat(json.indexOf("NaN") + json.indexOf("Infinity")).isEqualTo(-2);
        Map<String, Object> report = object(ReportJsonText.parse(json));
        assertThat(report)
                .containsKeys(
                        "log",
                        "vehicle",
                        "software",
                        "duration_s",
                        "from_us",
                        "to_us",
                        "figures",
                        "problems",
                        "plots",
                        "spectra",
                        "modes",
                        "armed",
                        "messages",
                        "parameters");
        assertThat(ReportJsonText.number(report, "to_us"))
                .isGreaterThanOrEqualTo(ReportJsonText.number(report, "from_us"));
        for (Map<String, Object> plot : objects(report.get("plots"))) {
            assertThat(ReportJsonText.text(plot, "explain")).hasSizeGreaterThan(15);
            assertThat(objects(plot.get("series"))).isNotEmpty();
            objects(plot.get("series")).forEach(ReportFuzzTest::checkSeries);
        }
        for (Map<String, Object> plot : objects(report.get("spectra"))) {
            for (Map<String, Object> series : objects(plot.get("series"))) {
                assertThat(numbers(series.get("density"))).hasSize(257);
            }
        }
        double severity = 0;
        for (Map<String, Object> problem : objects(report.get("problems"))) {
            double rank = ReportJsonText.text(problem, "severity").equals("critical") ? 0 : 1;
            assertThat(rank).isGreaterThanOrEqualTo(severity);
            severity = rank;
            assertThat(ReportJsonText.text(problem, "text")).isNotBlank();
        }
    }

    private static void checkSeries(Map<String, Object> series) {
        double[] times = numbers(series.get("t_us"));
        double[] least = numbers(series.get("min"));
        double[] most = numbers(series.getOrDefault("max", series.get("min")));
        assertThat(times).hasSameSizeAs(least).hasSameSizeAs(most).isSorted();
        assertThat(times.length).isBetween(1, 2400);
        for (int i = 0; i < times.length; i++) {
            assertThat(Double.isNaN(least[i]) ? least[i] == most[i] || Double.isNaN(most[i]) : least[i] <= most[i])
                    .isTrue();
        }
    }
}
