package org.mavlogd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.contain.Thrown;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.ulog.LogLevel;

class CrashFilesTest {
    private static final long NOTED_MS = 1_790_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private CrashFiles files() {
        return CrashFiles.after(directory, List.of(directory.resolve("crash"), directory), directory.resolve("pstore"));
    }

    private Path file(String name, byte[] content, long epochMs) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.write(file, content);
        return Files.setLastModifiedTime(file, FileTime.fromMillis(epochMs));
    }

    @Test
    void nothingIsThere() {
        assertThat(files().report(4711, NOTED_MS)).isEqualTo(CrashReport.NONE);
    }

    @Test
    void javasCrashFileOfThatRunIsFound() throws IOException {
        file("crash/hs_err_pid4711.log", "# SIGSEGV".getBytes(StandardCharsets.US_ASCII), NOTED_MS + 100);
        file("hs_err_pid4712.log", "# another".getBytes(StandardCharsets.US_ASCII), NOTED_MS + 100);

        assertThat(files().report(4711, NOTED_MS).text())
                .contains("hs_err_pid4711.log", "# SIGSEGV", "not the vehicle")
                .doesNotContain("another");
        assertThat(files().report(4712, NOTED_MS).text()).contains("# another");
        assertThat(files().report(-1, -1).text()).isEmpty();
    }

    /** The path of Java's crash file that the launcher sets, read with a Java that only prints its arguments. */
    private Path launchersCrashFile(long pid) throws IOException, InterruptedException {
        Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path program = Files.createDirectories(directory.resolve("program"));
        Files.createFile(program.resolve("mavlogd.jar"));
        Path launcher = Files.copy(
                Path.of(System.getProperty("basedir", "."), "../scripts/mavlogd"), program.resolve("mavlogd"));
        ProcessBuilder builder = new ProcessBuilder("sh", launcher.toString(), "run").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("STATE_DIRECTORY", directory + ":" + directory.resolve("logs"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(output).isZero();
        String option = "-XX:ErrorFile=";
        return Path.of(output.lines()
                .filter(line -> line.startsWith(option))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output))
                .substring(option.length())
                .replace("%p", Long.toString(pid)));
    }

    @Test
    void crashFileIsFoundByTheNameThatTheLauncherGivesIt() throws IOException, InterruptedException {
        Path file = launchersCrashFile(4711);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, "# SIGBUS");

        assertThat(files().report(4711, System.currentTimeMillis() - 1000).text())
                .contains("# SIGBUS");
    }

    @Test
    void onlyTheNewestOfJavasCrashFilesStay() throws IOException {
        int count = CrashFiles.MAX_CRASH_FILES + 3;
        for (int i = 0; i < count; i++) {
            file("crash/hs_err_pid" + (9000 - i) + ".log", new byte[1], NOTED_MS + i * 1000L);
        }
        file("crash/hs_err_77.log", new byte[1], NOTED_MS - 1000);
        file("crash/notes.txt", new byte[1], NOTED_MS - 1000);

        CrashFiles.prune(directory.resolve("crash"));
        CrashFiles.prune(directory.resolve("none"));

        try (var left = Files.list(directory.resolve("crash"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .hasSize(CrashFiles.MAX_CRASH_FILES + 1)
                    .contains("notes.txt", "hs_err_pid" + (9000 - count + 1) + ".log", "hs_err_pid8997.log")
                    .doesNotContain("hs_err_77.log", "hs_err_pid9000.log", "hs_err_pid8998.log");
        }
    }

    @Test
    void crashFileOfAnEarlierRunWithThatNumberIsNone() throws IOException {
        file("crash/hs_err_pid4711.log", "# old".getBytes(StandardCharsets.US_ASCII), NOTED_MS - 60_000);

        assertThat(files().report(4711, NOTED_MS).text()).isEmpty();
    }

    @Test
    void hugeAndBrokenTextIsBoundedAndClean() throws IOException {
        byte[] bytes = new byte[CrashFiles.MAX_TEXT_BYTES * 2];
        java.util.Arrays.fill(bytes, (byte) 'x');
        bytes[0] = (byte) 0xFF;
        bytes[1] = 0;
        file("crash/hs_err_pid1.log", bytes, NOTED_MS);

        String text = files().report(1, NOTED_MS).text();

        assertThat(text.length()).isBetween(CrashFiles.MAX_TEXT_BYTES, CrashFiles.MAX_TEXT_BYTES + 200);
        assertThat(text).contains("\uFFFD x").doesNotContain("\0");
    }

    @Test
    void whatTheKernelKeptSinceIsFound() throws IOException {
        file("pstore/dmesg-efi-2", "Oops#2".getBytes(StandardCharsets.US_ASCII), NOTED_MS + 5000);
        file("pstore/dmesg-efi-1", "Oops#1".getBytes(StandardCharsets.US_ASCII), NOTED_MS - 500_000);
        file("pstore/console-ramoops-0", "console".getBytes(StandardCharsets.US_ASCII), NOTED_MS + 5000);

        assertThat(files().report(4711, NOTED_MS).text())
                .contains("kernel", "Oops#2")
                .doesNotContain("Oops#1")
                .doesNotContain("console");
    }

    @Test
    void lastLinesAreReadWhateverElseIsInTheFile() throws IOException {
        StringBuilder lines = new StringBuilder("cut off line\n");
        for (int i = 0; i < 150; i++) {
            lines.append(NOTED_MS + i).append(" 4 line ").append(i).append('\n');
        }
        lines.append("123 9 no level\n99 3 \n")
                .append(NOTED_MS)
                .append(" 3 last one\n")
                .append(NOTED_MS);
        Files.writeString(directory.resolve(LastLogLines.FILE), lines);

        List<CrashReport.Line> read = files().report(-1, -1).lines();

        assertThat(read).hasSize(CrashFiles.MAX_LINES);
        assertThat(read.get(0)).isEqualTo(new CrashReport.Line(LogLevel.WARNING, NOTED_MS + 51, "line 51"));
        assertThat(read.get(99)).isEqualTo(new CrashReport.Line(LogLevel.ERROR, NOTED_MS, "last one"));
    }

    private void run(StringBuilder lines, int process, String... texts) {
        lines.append(NOTED_MS)
                .append(" 6 mavlogd 1.0")
                .append(CrashFiles.BEGIN)
                .append(process)
                .append('\n');
        for (String text : texts) {
            lines.append(NOTED_MS).append(" 3 ").append(text).append('\n');
        }
    }

    private List<String> linesAfter(StringBuilder words) throws IOException {
        Files.writeString(directory.resolve(LastLogLines.FILE), words);
        return files().report(-1, -1).lines().stream()
                .map(CrashReport.Line::text)
                .toList();
    }

    @Test
    void linesAreThoseOfTheRunBeforeAndNotAgainWhenItEndedAsTheOneBeforeThat() throws IOException {
        StringBuilder words = new StringBuilder(NOTED_MS + " 6 much earlier\n");
        run(words, 4711, "keeper: broken at 0x7f00ab12");
        assertThat(linesAfter(words))
                .containsExactly("mavlogd 1.0 starts, process 4711", "keeper: broken at 0x7f00ab12");
        run(words, 4712, "keeper: broken at 0x7faacd12");
        assertThat(linesAfter(words)).isEmpty();
        run(words, 4713, "keeper: broken at 0x7faacd12", "recorder: another trouble");
        assertThat(linesAfter(words)).hasSize(3).last().isEqualTo("recorder: another trouble");
    }

    @Test
    void crashOfJavaLikeAnOlderOneIsNotToldAgain() throws IOException {
        String header =
                "#\n#  SIGSEGV (0xb) at pc=0x00007f%d, pid=%d\n# Problematic frame:\n# V  [libjvm.so+0x%d]  Foo\n\nStack\n";
        file("crash/hs_err_pid1.log", header.formatted(11, 1, 55).getBytes(StandardCharsets.US_ASCII), NOTED_MS);
        file("crash/hs_err_pid2.log", header.formatted(22, 2, 66).getBytes(StandardCharsets.US_ASCII), NOTED_MS + 1000);
        file(
                "crash/hs_err_pid3.log",
                header.replace("Foo", "Bar").formatted(22, 3, 66).getBytes(StandardCharsets.US_ASCII),
                NOTED_MS + 2000);

        assertThat(files().report(1, NOTED_MS).text()).contains("Foo");
        assertThat(files().report(2, NOTED_MS).text()).isEmpty();
        assertThat(files().report(3, NOTED_MS).text()).contains("Bar");
    }

    @Test
    void whatIsLoggedIsThereForTheNextRunAndBounded() throws IOException {
        Logger log = Logger.getLogger("org.mavlogd.app.CrashFilesTest");
        log.setUseParentHandlers(true);
        LastLogLines words = LastLogLines.begin(directory.resolve("state"));
        try {
            for (int i = 0; i < 3000; i++) {
                log.log(Level.WARNING, "a line with a number and some more text to fill the file {0}", i);
                if (i % 100 == 0) {
                    words.flush();
                }
            }
            log.log(Level.WARNING, "two\nlines");
            words.flush();
        } finally {
            words.close();
        }

        List<CrashReport.Line> lines = CrashFiles.after(directory.resolve("state"), List.of())
                .report(-1, -1)
                .lines();
        assertThat(lines).hasSize(CrashFiles.MAX_LINES);
        assertThat(lines.get(lines.size() - 1).text()).isEqualTo("two\\nlines");
        assertThat(lines.get(lines.size() - 2).text()).contains("2,999");
        for (String name : List.of(LastLogLines.FILE, LastLogLines.OLDER_FILE)) {
            assertThat(Files.size(directory.resolve("state").resolve(name))).isLessThan(LastLogLines.MAX_BYTES + 2048);
        }
    }

    @Test
    void placeThatCannotBeWrittenHarmsNothing() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        LastLogLines words = LastLogLines.begin(file);
        try {
            Logger.getLogger("org.mavlogd.app.CrashFilesTest").log(Level.WARNING, "lost");
            words.flush();
        } finally {
            words.close();
        }

        assertThat(Files.size(file)).isZero();
    }

    /** An error while the previous run is examined costs only that run's crash data. */
    @Test
    void errorsWhileTheRunBeforeIsLookedAtAreContained() {
        for (Supplier<Throwable> error : Thrown.CONTAINABLE) {
            ContainedPart part = ContainedPart.unlisted("crash.files", Recovery.CONTINUES);
            Path state = (Path) Proxy.newProxyInstance(
                    Path.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method, arguments) -> {
                        throw error.get();
                    });

            CrashReport.Source source = CrashFiles.of(state, part);

            assertThat(source.report(4711, NOTED_MS)).isEqualTo(CrashReport.NONE);
            assertThat(part.errors()).isOne();
        }
    }
}
