package org.mavlogd.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs one of the coverage-guided fuzzing targets, by chance, with some inputs in its own JVM, starting with the inputs
 * that failed before; {@code scripts/fuzz} is the long run of all. Each takes a while to start;
 * {@code -Dmavlogd.fuzz.all=true} runs all with the same inputs.
 */
class FuzzSystemTest {
    private static final boolean ALL = Boolean.getBoolean("mavlogd.fuzz.all");
    private static final int SECONDS = Integer.getInteger("mavlogd.fuzz.seconds", 20);
    private static final int RUNS = Integer.getInteger("mavlogd.fuzz.runs", 2_000);
    // These targets have the most states, and each input takes a fraction of a millisecond.
    private static final int CONVERSATION_RUNS = Integer.getInteger("mavlogd.fuzz.runs", 4_000);
    // Each input is converted and its result read: many milliseconds.
    private static final int CONVERSION_RUNS = Integer.getInteger("mavlogd.fuzz.runs", 400);
    private static final int SEED = Integer.getInteger("mavlogd.fuzz.seed", 4711);
    private static final Path OPTIONS = Path.of(System.getProperty("basedir", "."), "../config/jvm.options")
            .toAbsolutePath()
            .normalize();
    // The recorder's 40 MB, and the memory of the fuzzer itself: with 96 MB it runs out of memory before the first
    // input.
    private static final String HEAP = "-Xmx128m";
    private static final Pattern TRIED = Pattern.compile("stat::number_of_executed_units:\\s*(\\d+)");

    @TempDir
    private Path directory = Path.of(".");

    static Stream<String> targets() {
        List<String> targets = List.of(
                "fuzz.FrameDecoderFuzzTest deliversOnlyWhatCame",
                "fuzz.ConversationFuzzTest neitherThrowsNorAnswersStrangers",
                "fuzz.ArduPilotConversationFuzzTest acknowledgesOnlyWhatIsThere",
                "fuzz.DataFlashFuzzTest convertsWhatIsSound",
                "control.HttpFuzzTest answersWellOrNotAtAll");
        return ALL
                ? targets.stream()
                : Stream.of(targets.get(ThreadLocalRandom.current().nextInt(targets.size())));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void noInputFails(String target) throws IOException, InterruptedException {
        System.out.println("fuzzing " + target);
        String[] words = target.split(" ", -1);
        Path log = directory.resolve("fuzz.log");
        Path corpus = Files.createDirectory(directory.resolve("corpus"));
        Process fuzzer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + OPTIONS,
                        HEAP,
                        "--add-opens",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=org.mavlogd." + words[0],
                        "--target_method=" + words[1],
                        "--instrumentation_includes=org.mavlogd.**",
                        // Instrumenting all libraries as well would take most of the time.
                        "--custom_hook_includes=org.mavlogd.**",
                        // The same inputs for the same code: a build does not fail by chance.
                        "-seed=" + SEED,
                        "-runs=" + runs(target),
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
            assertThat(fuzzer.waitFor(SECONDS + 240L, TimeUnit.SECONDS)).isTrue();
        } finally {
            fuzzer.destroyForcibly();
        }

        String output = Files.readString(log);
        assertThat(fuzzer.exitValue()).as(output).isZero();
        Matcher tried = TRIED.matcher(output);
        assertThat(tried.find()).as(output).isTrue();
        System.out.println("fuzzed " + target + ": " + tried.group(1) + " inputs");
        // On a busy machine the time allows few more.
        assertThat(Integer.parseInt(tried.group(1))).as(output).isGreaterThan(20);
    }

    private static int runs(String target) {
        if (target.contains("Conversation")) {
            return CONVERSATION_RUNS;
        }
        return target.contains("DataFlash") ? CONVERSION_RUNS : RUNS;
    }
}
