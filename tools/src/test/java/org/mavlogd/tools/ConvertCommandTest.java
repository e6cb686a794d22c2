package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.dataflash.DataFlashBuilder;

/** Conversion of ArduPilot logs, and what {@code info} shows of the result, as users run them. */
class ConvertCommandTest {
    private static final String CAPTURE = "s4_logdownload.log_data.bin";

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    private Path capture() throws IOException {
        return Files.write(directory.resolve("in.bin"), Captures.log(CAPTURE));
    }

    private Path completeLog() throws IOException {
        byte[] log = DataFlashBuilder.aLog()
                .fmt(1, "AAA", "Qc", "TimeUS,V")
                .record("AAA", 1_000L, 12_345)
                .record("AAA", 2_000L, 5)
                .toByteArray();
        return Files.write(directory.resolve("whole.bin"), log);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aWholeLogIsConvertedAndSaysSo() throws IOException {
        Path ulog = directory.resolve("out.ulg");

        assertThat(shell.run("convert", completeLog(), ulog)).as(shell.err()).isZero();

        assertThat(shell.out()).contains("nothing lost (7 messages, ").hasLineCount(1);
        assertThat(shell.run("check", ulog)).isZero();
        assertThat(shell.out()).contains("intact").contains("2 data messages");
        assertThat(files()).containsExactly("out.ulg", "whole.bin");
    }

    @Test
    void aLogThatIsCutOffIsConvertedAndToldOf() throws IOException {
        Path ulog = directory.resolve("out.ulg");

        assertThat(shell.run("convert", capture(), ulog)).as(shell.err()).isZero();

        assertThat(shell.out())
                .contains("lost: 4 bytes of a message that was cut off, at byte 335,868 (8,216 messages, ")
                .hasLineCount(1);
        assertThat(shell.err()).isEmpty();

        assertThat(shell.run("convert", "--strict", "--force", capture(), ulog)).isEqualTo(3);
        assertThat(shell.err())
                .contains("lost: 4 bytes of a message that was cut off, at byte 335,868 (8,216 messages, ")
                .hasLineCount(1);
        assertThat(shell.out()).isEmpty();

        assertThat(shell.run("info", ulog)).isZero();
        assertThat(shell.out()).contains("ArduPilot rover on SITL").contains("ArduRover V4.7.0-dev (90700977)");
        assertThat(shell.run("check", ulog)).isZero();
    }

    @Test
    void damageIsToldByPlacesAndBytes() throws IOException {
        byte[] log = Captures.log(CAPTURE);
        Arrays.fill(log, 100_000, 100_500, (byte) 0);
        Arrays.fill(log, 200_000, 200_100, (byte) 0xFF);
        Path damaged = Files.write(directory.resolve("damaged.bin"), log);
        Path ulog = directory.resolve("out.ulg");

        assertThat(shell.run("convert", damaged, ulog)).isEqualTo(3);

        assertThat(shell.err())
                .contains("damaged in 2 places, 4 bytes of a message")
                .hasLineCount(1);
        assertThat(shell.run("check", ulog)).isZero();
    }

    @Test
    void scaledValuesAreInTheirUnits() throws IOException {
        Path ulog = directory.resolve("out.ulg");
        Path tables = directory.resolve("tables");

        assertThat(shell.run("convert", "--scaled", completeLog(), ulog)).isZero();
        assertThat(shell.run("export", "csv", ulog, "-o", tables)).isZero();

        assertThat(tables.resolve("AAA_0.csv")).hasContent("timestamp,V\n1000,123.45\n2000,0.05\n");
    }

    @Test
    void whatIsThereIsKeptUnlessForced() throws IOException {
        Path existing = Files.writeString(directory.resolve("out.ulg"), "precious");
        Path in = completeLog();

        assertThat(shell.run("convert", in, existing)).isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("mavlogd convert: " + existing + ": exists already; --force replaces it"
                        + System.lineSeparator());
        assertThat(existing).hasContent("precious");
        assertThat(shell.run("convert", in, in, "--force")).isEqualTo(2);
        assertThat(shell.err()).contains("IN and OUT are the same file").hasLineCount(1);
        assertThat(shell.run("convert", "--force", in, existing)).isZero();
        assertThat(shell.run("check", existing)).isZero();
    }

    @Test
    void whatIsNoLogIsRefusedAndLeavesNothing() throws IOException {
        Path ulog = directory.resolve("out.ulg");
        Path text = Files.writeString(directory.resolve("text.bin"), "this is no log at all, only text ".repeat(50));
        Path empty = Files.createFile(directory.resolve("empty.bin"));

        for (Path bad : List.of(text, empty)) {
            assertThat(shell.run("convert", bad, ulog)).isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("mavlogd convert: " + bad + ": not a DataFlash log: ")
                    .hasLineCount(1);
        }
        assertThat(shell.run("convert", directory.resolve("missing.bin"), ulog)).isEqualTo(1);
        assertThat(shell.err())
                .contains("missing.bin: no such file or directory")
                .hasLineCount(1);
        assertThat(shell.run("convert", directory, ulog)).isEqualTo(1);
        assertThat(shell.err()).contains("is a directory").hasLineCount(1);
        assertThat(shell.run("convert", completeLog(), directory.resolve("no/out.ulg")))
                .isEqualTo(1);
        assertThat(shell.run("convert", completeLog())).isEqualTo(2);
        assertThat(files()).containsExactly("empty.bin", "text.bin", "whole.bin");
    }

    @Test
    void helpTellsTheExitCodes() {
        assertThat(shell.run("convert", "--help")).isZero();
        assertThat(shell.out())
                .contains("Usage: mavlogd convert")
                .contains("Exit codes:")
                .contains("--scaled");
    }

    @Test
    void filesInTheLogAreListedAndPrinted() throws IOException {
        Path ulog = directory.resolve("out.ulg");
        shell.run("convert", capture(), ulog);

        assertThat(shell.run("info", "--files", ulog)).isZero();
        assertThat(shell.out())
                .containsPattern("@SYS/uarts.txt +727 +1 +complete")
                .containsPattern("@SYS/storage.bin +12,608 +1 +no gap, end not marked")
                .hasLineCount(3);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThat(printed(bytes, "@SYS/uarts.txt", ulog)).isZero();
        assertThat(bytes.toString(StandardCharsets.UTF_8)).startsWith("UARTV1\nSERIAL0 TX=");
        assertThat(bytes.size()).isEqualTo(727);
        assertThat(shell.run("info", "--file", "nothing", ulog)).isEqualTo(1);
        assertThat(shell.err()).contains("no file \"nothing\"").hasLineCount(1);
        shell.run("convert", "--force", completeLog(), ulog);
        assertThat(shell.run("info", "--files", ulog)).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("no files");
    }

    /** Captures bytes that bypass the command's writer. */
    private int printed(ByteArrayOutputStream bytes, String name, Path ulog) {
        PrintStream before = System.out;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            return shell.run("info", "--file", name, ulog);
        } finally {
            System.setOut(before);
        }
    }

    @Test
    void aFileThatIsNotAllThereIsToldOf() throws IOException {
        byte[] chunk = "x".repeat(64).getBytes(StandardCharsets.US_ASCII);
        byte[] log = DataFlashBuilder.aLog()
                .fmt(1, "FILE", "NIBZ", "FileName,Offset,Length,Data")
                .record("FILE", "gap.txt", 0, 64, chunk)
                .record("FILE", "gap.txt", 128, 10, "x".repeat(10))
                .record("FILE", "\u001B[31m", 0, 1, "x")
                .record("FILE", "twice.lua", 0, 3, "old")
                .record("FILE", "twice.lua", 0, 3, "new")
                .record("FILE", "lost.lua", 64, 64, chunk)
                .toByteArray();
        Path ulog = directory.resolve("out.ulg");
        shell.run("convert", Files.write(directory.resolve("in.bin"), log), ulog);

        assertThat(shell.run("info", "--files", ulog)).isZero();

        assertThat(shell.out()).containsPattern("gap.txt +138 +1 +64 bytes missing");
        assertThat(shell.out())
                .containsPattern("twice.lua +3 +2 +complete")
                .containsPattern("lost.lua +128 +1 +64 bytes missing, and perhaps the end")
                .doesNotContain("\u001B");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertThat(printed(bytes, "gap.txt", ulog)).isEqualTo(3);
        assertThat(bytes.size()).isEqualTo(138);
        assertThat(shell.err()).contains("does not hold all of \"gap.txt\"").hasLineCount(1);
        assertThat(printed(bytes, "gab.txt", ulog)).isEqualTo(1);
        assertThat(shell.err())
                .contains("no file \"gab.txt\" (did you mean \"gap.txt\"?)")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GPS", "gps"})
    void topicsOfArduPilotAreDescribed(String topic) {
        assertThat(shell.run("info", "--describe", topic)).isZero();

        assertThat(shell.out())
                .startsWith("GPS: Information received from GNSS systems attached to the autopilot")
                .containsPattern("GMS +ms +milliseconds since start of GPS Week");
    }

    @Test
    void whatIsNotDescribedIsToldInOneLine() {
        assertThat(shell.run("info", "--describe", "NONE")).isEqualTo(1);
        assertThat(shell.err()).contains("\"NONE\" is not a topic in ArduPilot").hasLineCount(1);
        assertThat(shell.run("info", "--describe", "barro")).isEqualTo(1);
        assertThat(shell.err()).contains("(did you mean \"BARO\"?)").hasLineCount(1);
        assertThat(shell.run("info", "--describe", "GPS", "a.ulg")).isEqualTo(2);
        assertThat(shell.run("info", "--files", "--json", "a.ulg")).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1);
    }
}
