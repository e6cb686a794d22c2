package org.mavlogd.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.tools.AddedCommand;
import org.mavlogd.tools.Main;
import org.mavlogd.ulog.LogLevel;
import picocli.CommandLine;

/** {@code mavlogd report} as users run it. */
class ReportCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void misspeltCommandsOfThisJarAreSuggestedWithoutIt() {
        assertThat(AddedCommand.all())
                .isNotEmpty()
                .extracting(
                        type -> type.getAnnotation(CommandLine.Command.class).name())
                .isSubsetOf(AddedCommand.NAMES);
    }

    @Test
    void writesOneFile() throws IOException {
        Path log = log();
        Path page = directory.resolve("flight.html");

        assertThat(run("report", log.toString(), "-o", page.toString())).isZero();

        assertThat(out).asString().contains("flight.html: 1 problem, 1 plot");
        assertThat(page)
                .content()
                .startsWith("<!DOCTYPE html>")
                .contains("motor failure")
                .endsWith("</html>\n");
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void keepsAFileThatExistsUnlessForced() throws IOException {
        Path log = log();
        Path page = Files.writeString(directory.resolve("flight.html"), "mine");

        assertThat(run("report", log.toString(), "-o", page.toString())).isEqualTo(1);
        assertThat(err).asString().contains("flight.html", "exists already");
        assertThat(page).content().isEqualTo("mine");

        assertThat(run("report", "--force", log.toString(), "-o", page.toString()))
                .isZero();
        assertThat(page).content().startsWith("<!DOCTYPE html>");
    }

    @Test
    void writesJsonToStandardOutput() throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(run("report", "--json", log().toString(), "-o", "-")).isZero();
        } finally {
            System.setOut(before);
        }

        assertThat(ReportJsonText.object(ReportJsonText.parse(printed.toString(StandardCharsets.UTF_8))))
                .containsEntry("log", "test.ulg");
    }

    @Test
    void damagedLogIsReportedWithItsOwnExitCode() throws IOException {
        byte[] bytes = Files.readAllBytes(log());
        Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 60, (byte) 0xEE);
        Path damaged = Files.write(directory.resolve("damaged.ulg"), bytes);

        assertThat(run(
                        "report",
                        damaged.toString(),
                        "-o",
                        directory.resolve("d.html").toString()))
                .isEqualTo(3);
        assertThat(err).asString().contains("damaged");
        assertThat(directory.resolve("d.html")).content().contains("The log is damaged");
    }

    @Test
    void whatIsNoLogIsAnErrorAndLeavesNoFile() throws IOException {
        Path text =
                Files.writeString(directory.resolve("text.ulg"), "this is no log at all, but a text of some length");
        Path page = directory.resolve("x.html");

        assertThat(run("report", text.toString(), "-o", page.toString())).isEqualTo(1);
        assertThat(err).asString().contains("text.ulg").doesNotContain("Exception");
        assertThat(page).doesNotExist();

        assertThat(run("report", directory.resolve("missing.ulg").toString())).isEqualTo(1);
    }

    @Test
    void refusesToReplaceTheLog() throws IOException {
        Path log = log();
        long size = Files.size(log);

        assertThat(run("report", "--force", log.toString(), "-o", log.toString()))
                .isEqualTo(1);
        assertThat(err).asString().contains("is the log itself");
        assertThat(log).hasSize(size);
    }

    @Test
    void theSizeIsThatOfTheFileAlsoOfALogThatIsConverted() throws IOException {
        Path packed = Path.of("../test-data/captures/ardupilot/s4_logdownload.log_data.bin.gz");
        Path plain = directory.resolve("flight.bin");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            Files.copy(in, plain);
        }
        for (Path log : List.of(packed, plain)) {
            Path json = directory.resolve("flight.json");

            assertThat(run("report", "--json", "--force", log.toString(), "-o", json.toString()))
                    .isIn(0, 3);

            assertThat(json).content().contains("\"name\":\"Size of the log\",\"value\":" + Files.size(log) + ".0,");
        }
    }

    private Path log() throws IOException {
        TestLog log = new TestLog().format("cpuload", "float load;").text(LogLevel.CRITICAL, 1, "motor failure");
        for (int i = 0; i < 100; i++) {
            log.sample("cpuload", i, 0.5);
        }
        return log.write(directory);
    }

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
