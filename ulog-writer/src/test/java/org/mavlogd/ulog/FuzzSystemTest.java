package org.mavlogd.ulog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs each fuzzing target, guided by coverage, with some inputs in its own JVM, beginning with inputs that once
 * failed; {@code scripts/fuzz} is the long run.
 */
class FuzzSystemTest {
    private static final int SECONDS = Integer.getInteger("ulog.fuzz.seconds", 20);
    private static final int RUNS = Integer.getInteger("ulog.fuzz.runs", 2_000);
    private static final int SEED = Integer.getInteger("ulog.fuzz.seed", 4711);
    private static final Pattern TRIED = Pattern.compile("stat::number_of_executed_units:\\s*(\\d+)");

    private static final Path OPTIONS = Path.of(System.getProperty("basedir", "."), "../config/jvm.options")
            .toAbsolutePath()
            .normalize();

    @TempDir
    private Path directory = Path.of(".");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ReaderFuzzTest readsTheSameInAnyChunks",
                "RepairFuzzTest repairsWithoutInventing",
                "AppendFuzzTest appendsOrRefuses"
            })
    void noInputFails(String target) throws IOException, InterruptedException {
        String[] words = target.split(" ", -1);
        Path log = directory.resolve("fuzz.log");
        Path corpus = Files.createDirectory(directory.resolve("corpus"));
        Process fuzzer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + OPTIONS,
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=org.mavlogd.ulog." + words[0],
                        "--target_method=" + words[1],
                        "--instrumentation_includes=org.mavlogd.ulog.**",
                        // The same inputs as long as the code is the same, so that a build does not fail by chance.
                        "-seed=" + SEED,
                        "-runs=" + RUNS,
                        "-max_total_time=" + SECONDS,
                        "-timeout=10",
                        "-rss_limit_mb=0",
                        "-print_final_stats=1",
                        "-artifact_prefix=" + directory.resolve("failed-"),
                        corpus.toString()))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(fuzzer.waitFor(SECONDS + 120L, TimeUnit.SECONDS)).isTrue();
        } finally {
            fuzzer.destroyForcibly();
        }

        String output = Files.readString(log);
        assertThat(fuzzer.exitValue()).as(output).isZero();
        Matcher tried = TRIED.matcher(output);
        assertThat(tried.find()).as(output).isTrue();
        System.out.println("fuzzed " + target + ": " + tried.group(1) + " inputs");
        assertThat(Integer.parseInt(tried.group(1))).as(output).isGreaterThan(80);
    }
}
