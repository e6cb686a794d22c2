package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.app.JsonTree;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.logtools.Logs;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** {@code mavlogd params} as users run it. */
class ParamsCommandTest {
    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    /** Writes a part of a log. */
    private interface Part {
        void write(ULogWriter log) throws IOException;
    }

    /** A log with a sample at 2 s, and other messages before and after it. */
    private Path log(String name, Part before, Part after) throws IOException {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 1_000_000, WriterSettings.DEFAULT)) {
            log.format(TopicFormat.parse("a:uint64_t timestamp;uint8_t v;"));
            before.write(log);
            TopicWriter topic = log.subscribe("a", 0);
            topic.writeRaw(new byte[] {(byte) 0x80, (byte) 0x84, 0x1E, 0, 0, 0, 0, 0, 7}, 0, 9);
            after.write(log);
        }
        return Files.write(directory.resolve(name), sink.toByteArray());
    }

    private Path log() throws IOException {
        return log(
                "log.ulg",
                log -> {
                    log.defaultParameter(ULogWriter.SYSTEM_DEFAULT, "B_INT", 3);
                    log.defaultParameter(ULogWriter.CONFIGURATION_DEFAULT, "B_INT", 4);
                    log.defaultParameter(ULogWriter.SYSTEM_DEFAULT, "C_SAME", 1.5f);
                    log.parameter("B_INT", 5);
                    log.parameter("A_FLOAT", 0.1f);
                    log.parameter("C_SAME", 1.5f);
                    log.parameter("MAV_SYS_ID", 42);
                },
                log -> {
                    log.parameter("A_FLOAT", 0.25f);
                    log.parameter("A_FLOAT", -1e-7f);
                    log.parameter("D_LATE", 9);
                });
    }

    private List<String> lines() {
        return shell.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    }

    @Test
    void printsAllWithValueDefaultAndNumberOfChanges() throws IOException {
        assertThat(shell.run("params", log())).as(shell.err()).isZero();

        assertThat(lines())
                .containsExactly(
                        "NAME VALUE DEFAULT CHANGES",
                        "A_FLOAT 0.1 2",
                        "B_INT 5 4",
                        "C_SAME 1.5 1.5",
                        "D_LATE 9 1",
                        "MAV_SYS_ID 42");
    }

    @Test
    void printsChangesWithTheirTimes() throws IOException {
        assertThat(shell.run("params", "--changed", log())).isZero();
        assertThat(lines())
                .containsExactly(
                        "TIME NAME CHANGE",
                        "2.000 s A_FLOAT 0.1 -> 0.25",
                        "2.000 s A_FLOAT 0.25 -> -1.0E-7",
                        "2.000 s D_LATE 9 -> 9");
        assertThat(shell.run("params", "--changed", "--format", "csv", log())).isZero();
        assertThat(shell.out())
                .startsWith("t_us,utc,name,before,value\n2000000,,A_FLOAT,0.1,0.25\n")
                .hasLineCount(4);
    }

    @Test
    void printsThoseThatDifferFromTheirDefault() throws IOException {
        assertThat(shell.run("params", "--non-default", "--format", "csv", log()))
                .isZero();

        assertThat(shell.out()).isEqualTo("name,value,type,default\nB_INT,5,int32_t,4\n");
    }

    @Test
    void comparesTwoLogs() throws IOException {
        Path other = log(
                "other.ulg",
                log -> {
                    log.parameter("B_INT", 6);
                    log.parameter("A_FLOAT", 0.1f);
                    log.parameter("C_SAME", 1.5f);
                    log.parameter("E_OTHER", 1);
                    log.parameter("MAV_SYS_ID", 42);
                },
                log -> {});

        assertThat(shell.run("params", log(), "--diff", other)).as(shell.err()).isZero();
        assertThat(lines()).containsExactly("NAME VALUE OTHER", "B_INT 5 6", "D_LATE 9", "E_OTHER 1");
        assertThat(shell.run("params", log(), "--diff", other, "--format", "csv"))
                .isZero();
        assertThat(shell.out()).isEqualTo("name,value,other\nB_INT,5,6\nD_LATE,9,\nE_OTHER,,1\n");
        assertThat(shell.run("params", log(), "--diff", other, "--format", "json"))
                .isZero();
        assertThat(parameters().get(2)).containsEntry("name", "E_OTHER").containsEntry("other", 1L);
        assertThat(shell.run("params", log(), "--diff", other, "--format", "mavproxy"))
                .isZero();
        assertThat(shell.out().lines()).containsExactly("B_INT            5", "D_LATE           9");
        assertThat(shell.run("params", log(), "--diff", other, "--changed")).isEqualTo(2);
        assertThat(shell.run("params", log(), "--diff", directory.resolve("none")))
                .isEqualTo(1);
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> parameters() throws IOException {
        return (List<Map<String, Object>>)
                Objects.requireNonNull(JsonTree.read(shell.out()).get("parameters"));
    }

    @Test
    void jsonHasTheFixedForm() throws IOException {
        assertThat(shell.run("params", "--format", "json", log())).isZero();

        assertThat(shell.out().replaceAll("\\s", ""))
                .isEqualTo("{\"parameters\":["
                        + "{\"name\":\"A_FLOAT\",\"value\":0.10000000149011612,\"type\":\"float\",\"changes\":["
                        + "{\"t_us\":2000000,\"value\":0.25},{\"t_us\":2000000,\"value\":-1.0000000116860974E-7}]},"
                        + "{\"name\":\"B_INT\",\"value\":5,\"type\":\"int32_t\",\"default\":4,\"changes\":[]},"
                        + "{\"name\":\"C_SAME\",\"value\":1.5,\"type\":\"float\",\"default\":1.5,\"changes\":[]},"
                        + "{\"name\":\"D_LATE\",\"value\":9,\"type\":\"int32_t\",\"changes\":[{\"t_us\":2000000,\"value\":9}]},"
                        + "{\"name\":\"MAV_SYS_ID\",\"value\":42,\"type\":\"int32_t\",\"changes\":[]}]}");
    }

    @Test
    void qgcIsTheFileOfQGroundControl() throws IOException {
        assertThat(shell.run("params", "--format", "qgc", log())).isZero();

        assertThat(shell.out().lines())
                .containsExactly(
                        "# Onboard parameters for Vehicle 42",
                        "#",
                        "# Vehicle-Id Component-Id Name Value Type",
                        "42\t1\tA_FLOAT\t0.100000001490116120\t9",
                        "42\t1\tB_INT\t5\t6",
                        "42\t1\tC_SAME\t1.500000000000000000\t9",
                        "42\t1\tD_LATE\t9\t6",
                        "42\t1\tMAV_SYS_ID\t42\t6");
    }

    @Test
    void namesFromTheLogAreNeitherFormulasNorSeveralWords() throws IOException {
        Path hostile = log(
                "hostile.ulg",
                log -> {
                    log.parameter("NAMEA_", 1);
                    log.parameter("NAMEB__", Float.NaN);
                    log.parameter("NAMEC_two", Float.POSITIVE_INFINITY);
                },
                log -> {});
        // No ULog writer accepts such names.
        replace(hostile, "NAMEA_", "=cmd()");
        replace(hostile, "NAMEB__", "=red + ");
        replace(hostile, "NAMEC_two", "two cells");

        for (String format : List.of("table", "csv", "json", "qgc", "mavproxy")) {
            assertThat(shell.run("params", "--format", format, hostile))
                    .as(shell.out())
                    .isZero();
        }
        assertThat(shell.out().lines()).hasSize(3).allMatch(line -> line.matches("\\S+ +\\S+"));
        shell.run("params", "--format", "csv", hostile);
        assertThat(shell.out()).contains("\n'=cmd(),1,int32_t,\n").contains("two cells,inf,float,\n");
        shell.run("params", "--format", "json", hostile);
        assertThat(parameters().get(1)).containsEntry("value", Optional.empty());
    }

    private static void replace(Path log, String name, String by) throws IOException {
        String bytes = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(bytes).contains(name);
        Files.writeString(log, bytes.replace(name, by), StandardCharsets.ISO_8859_1);
    }

    @Test
    void arduPilotsParametersAreThere() throws IOException {
        Path log = Files.write(directory.resolve("a.bin"), Captures.log("s1_clean_rover.mav.bin"));

        assertThat(shell.run("params", log, "--format", "qgc")).isIn(0, 3);
        assertThat(shell.err()).contains("QGroundControl skips those that are integers");
        assertThat(shell.out()).contains("\tARMING_REQUIRE\t");
        assertThat(shell.run("params", log, "--changed")).isIn(0, 3);
        assertThat(lines()).contains("2026-11-21 01:36:52.693Z SIM_PIN_MASK 125.0 -> 121.0");
        assertThat(shell.run("params", log, "--format", "mavproxy")).isIn(0, 3);
        assertThat(shell.out()).containsPattern("(?m)^ARMING_REQUIRE +[0-9]+\\.000000$");
    }

    @Test
    void realLogsHaveAsManyAsAnEstablishedReaderCounts() throws IOException {
        for (String name : Logs.REAL) {
            Path log = Logs.real(name, directory);
            shell.run("info", "--json", log);
            Map<String, Object> info = JsonTree.read(shell.out());

            assertThat(shell.run("params", "--format", "json", log)).isZero();

            assertThat(parameters()).hasSize(((Long) Objects.requireNonNull(info.get("parameters"))).intValue());
        }
    }

    @Test
    void damageIsReportedAndTheRestIsPrinted() throws IOException {
        byte[] bytes = Logs.real("pyulog_sample_log_small");
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 300, (byte) 0xEE);
        Path damaged = Files.write(directory.resolve("damaged.ulg"), bytes);

        assertThat(shell.run("params", damaged)).isEqualTo(3);
        assertThat(shell.err()).contains("bytes damaged in 1 place").hasLineCount(1);
        assertThat(shell.out()).contains("SYS_AUTOSTART");
        byte[] cut = Logs.real("pyulog_sample_log_small");
        assertThat(shell.run("params", Files.write(damaged, Arrays.copyOf(cut, cut.length - 3))))
                .isZero();
    }

    @Test
    void whatIsWrittenIsPrinted() throws IOException {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            Map<String, List<Number>> written = new TreeMap<>();
            Path log = log(
                    "random.ulg", out -> write(out, random, written, false), out -> write(out, random, written, true));

            assertThat(shell.run("params", "--format", "json", log)).isZero();

            Map<String, List<Double>> read = new TreeMap<>();
            for (Map<String, Object> parameter : parameters()) {
                List<Double> values = new ArrayList<>();
                values.add(number(parameter));
                for (Object change : (List<?>) Objects.requireNonNull(parameter.get("changes"))) {
                    values.add(number((Map<?, ?>) change));
                }
                read.put(String.valueOf(parameter.get("name")), values);
            }
            assertThat(read).as("seed " + seed).isEqualTo(doubles(written));
        }
    }

    private static double number(Map<?, ?> object) {
        return ((Number) Objects.requireNonNull(object.get("value"))).doubleValue();
    }

    private static Map<String, List<Double>> doubles(Map<String, List<Number>> written) {
        Map<String, List<Double>> doubles = new TreeMap<>();
        written.forEach((name, values) ->
                doubles.put(name, values.stream().map(Number::doubleValue).toList()));
        return doubles;
    }

    private static void write(ULogWriter log, Random random, Map<String, List<Number>> written, boolean changes)
            throws IOException {
        for (int i = random.nextInt(20); i >= 0; i--) {
            String name = "P" + random.nextInt(30);
            boolean isInteger = name.hashCode() % 2 == 0;
            Number value = isInteger ? (Number) random.nextInt() : (Number) (float) random.nextGaussian();
            if (!changes && written.containsKey(name)) {
                continue;
            }
            // An initial value inside the data counts as initial value and as change.
            List<Number> values = written.computeIfAbsent(name, key -> new ArrayList<>());
            if (changes && values.isEmpty()) {
                values.add(value);
            }
            values.add(value);
            if (isInteger) {
                log.parameter(name, value.intValue());
            } else {
                log.parameter(name, value.floatValue());
            }
        }
    }
}
