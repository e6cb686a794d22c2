package org.mavlogd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logging is set up once per process: each test starts a process. */
@Timeout(120)
class LoggingSetupSystemTest {
    @TempDir
    private Path directory;

    /** Logs at every level, also while the process ends, and from a library. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            LoggingSetup.Level level = LoggingSetup.Level.valueOf(arguments[0]);
            if (arguments[1].equals("at once")) {
                LoggingSetup.install(level, System.getenv());
            } else {
                LoggingSetup.installWhenNeeded(level, System.getenv());
            }
            Logger ours = LoggerFactory.getLogger("org.mavlogd.test.Program");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> lastWords(ours), "last-words"));
            ours.error("an error");
            ours.warn("a warning");
            ours.info("some {}", "information");
            ours.debug("a detail");
            LoggerFactory.getLogger("io.netty.Something").debug("a detail of a library");
        }

        private static void lastWords(Logger ours) {
            // Java's log manager drops its handlers in a hook that runs beside this one: give it time to run first.
            long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
            while (System.nanoTime() < endNs) {
                Thread.onSpinWait();
            }
            ours.info("last words");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"at once", "when needed"})
    void logsUpToTheLevelAndUntilTheEndOfTheProcess(String when) throws Exception {
        assertThat(run("INFO", "", when))
                .satisfiesExactly(
                        line -> assertThat(line).matches("[0-9:.]{12} ERROR Program  an error"),
                        line -> assertThat(line).matches("[0-9:.]{12} WARN  Program  a warning"),
                        line -> assertThat(line).matches("[0-9:.]{12} INFO  Program  some information"),
                        line -> assertThat(line).matches("[0-9:.]{12} INFO  Program  last words"));
    }

    @Test
    void showsOurDetailsWithoutThoseOfLibraries() throws Exception {
        assertThat(run("DEBUG", ""))
                .anyMatch(line -> line.endsWith("a detail"))
                .noneMatch(line -> line.contains("library"));
    }

    @Test
    void usesTheFormOfTheJournalOnlyWhenStandardErrorIsTheJournal() throws Exception {
        Path stream = Files.createFile(directory.resolve("stderr"));
        String journal = Files.getAttribute(stream, "unix:dev") + ":" + Files.getAttribute(stream, "unix:ino");

        assertThat(run("ERROR", journal)).containsExactly("<3>an error");
        assertThat(run("ERROR", "1:1")).singleElement().asString().endsWith(" ERROR Program  an error");
    }

    private List<String> run(String level, String journalStream) throws IOException, InterruptedException {
        return run(level, journalStream, "at once");
    }

    private List<String> run(String level, String journalStream, String when) throws IOException, InterruptedException {
        Path stderr = directory.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                level,
                when);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("JOURNAL_STREAM", journalStream);
        Process process = builder.redirectError(stderr.toFile()).start();
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        return Files.readAllLines(stderr, StandardCharsets.UTF_8);
    }
}
