package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.logtools.Logs;
import org.mavlogd.mcap.McapHandler;
import org.mavlogd.mcap.McapReader;
import org.mavlogd.mcap.McapRecord;

/** {@code mavlogd export mcap} as users run it. The module exports tests the contents of the files. */
class McapCommandTest {
    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    static List<String> realLogs() {
        return Logs.REAL;
    }

    @ParameterizedTest
    @MethodSource("realLogs")
    void exportsEverySampleThatAnEstablishedReaderCounts(String name) throws IOException {
        Path out = directory.resolve("log.mcap");

        assertThat(shell.run("export", "mcap", Logs.real(name, directory), "-o", out))
                .isZero();

        List<McapRecord> records = records(out);
        McapRecord.Statistics totals = (McapRecord.Statistics) records.stream()
                .filter(McapRecord.Statistics.class::isInstance)
                .findFirst()
                .orElseThrow();
        Map<String, Integer> samples = samples(name);
        assertThat(samples).isNotEmpty();
        records.stream()
                .filter(McapRecord.Channel.class::isInstance)
                .map(McapRecord.Channel.class::cast)
                .filter(channel -> channel.topic().contains("/"))
                .distinct()
                .forEach(channel -> assertThat(totals.messagesByChannel().get(channel.id()))
                        .as(channel.topic())
                        .isEqualTo((long) samples.getOrDefault(channel.topic().replace('/', ':'), 0)));
    }

    @Test
    void timesAreUtcWhenTheLogTellsIt() throws IOException {
        Path out = directory.resolve("log.mcap");

        assertThat(shell.run("export", "mcap", Logs.real("mcap_ulog2mcap_test", directory), "-o", out))
                .isZero();

        assertThat(shell.out()).doesNotContain("no UTC");
        // The log starts at 2025-12-10T01:47:31.8Z; topics that were published before have older samples.
        assertThat(start(out))
                .isBetween(Instant.parse("2025-12-10T01:46:00Z"), Instant.parse("2025-12-10T01:47:31.9Z"));
    }

    @Test
    void timesAreTheVehiclesWhenTheLogHasNoUtc() throws IOException {
        Path out = directory.resolve("log.mcap");

        assertThat(shell.run("export", "mcap", Logs.real("px4rs_6ba1abc7", directory), "-o", out))
                .isZero();

        assertThat(shell.out()).contains("the log has no UTC").hasLineCount(1);
        assertThat(start(out)).isBefore(Instant.parse("1970-01-02T00:00:00Z"));
    }

    private static Instant start(Path file) throws IOException {
        McapRecord.Statistics totals = (McapRecord.Statistics) records(file).stream()
                .filter(McapRecord.Statistics.class::isInstance)
                .findFirst()
                .orElseThrow();
        return Instant.EPOCH.plusNanos(totals.startTimeNs());
    }

    @Test
    void keepsWhatIsThereAndTellsOfDamage() throws IOException {
        Path log = Logs.corner("golden", directory);
        Path out = directory.resolve("log.mcap");

        assertThat(shell.run("export", "mcap", log, "-o", out)).isZero();
        assertThat(shell.out()).contains("930 messages of 4 topics").hasLineCount(1);
        Files.writeString(out, "precious");
        assertThat(shell.run("export", "mcap", log, "-o", out)).isEqualTo(1);
        assertThat(shell.err())
                .startsWith("mavlogd export mcap: ")
                .contains("exists already")
                .hasLineCount(1);
        assertThat(out).hasContent("precious");
        assertThat(shell.run("export", "mcap", log, "-o", out, "--force")).isZero();
        assertThat(records(out)).isNotEmpty();

        assertThat(shell.run("export", "mcap", log, "-o", log, "--force")).isEqualTo(2);
        assertThat(shell.run("export", "mcap", Logs.real(Logs.DAMAGED, directory), "-o", out, "--force"))
                .isEqualTo(3);
        assertThat(shell.err()).contains("damaged in 1 place").hasLineCount(1);
        assertThat(shell.run("export", "mcap", directory.resolve("none.ulg"), "-o", out, "--force"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("none.ulg").hasLineCount(1);
    }

    @Test
    void helpTellsTheExitCodesAndWrongUsageIsToldInOneLine() {
        assertThat(shell.run("export", "mcap", "--help")).isZero();
        assertThat(shell.out())
                .contains("Usage: mavlogd export mcap", "Exit codes:", "wrong usage")
                .contains("--output");
        assertThat(shell.run("export", "mcap", "a.ulg")).isEqualTo(2);
        assertThat(shell.err()).startsWith("mavlogd").contains("--help").hasLineCount(1);
    }

    @Test
    void everyCornerGivesAResultOrOneLine() throws IOException {
        for (String name : Logs.corners().keySet()) {
            Path out = directory.resolve(name + ".mcap");

            int code = shell.run("export", "mcap", Logs.corner(name, directory), "-o", out);

            assertThat(code).as(name).isIn(0, 1, 3);
            assertThat(shell.err().lines().count()).as(name).isEqualTo(code == 0 ? 0 : 1);
            assertThat(Files.exists(out)).as(name).isEqualTo(code != 1);
            if (code != 1) {
                assertThat(records(out)).as(name).isNotEmpty();
            }
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(Path::toString)).noneMatch(file -> file.endsWith(".part"));
        }
    }

    /** Number of samples by topic, as the established reader counted them. */
    private static Map<String, Integer> samples(String name) throws IOException {
        Map<String, Integer> samples = new HashMap<>();
        boolean here = false;
        for (String line : Logs.expected()) {
            if (line.startsWith("log ")) {
                here = line.startsWith("log " + name + " ");
            } else if (here && !line.startsWith("#")) {
                String[] words = line.split(" ", -1);
                samples.merge(words[1], Integer.parseInt(words[2]), Integer::sum);
            }
        }
        return samples;
    }

    private static List<McapRecord> records(Path file) throws IOException {
        List<McapRecord> records = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file)) {
            McapReader.Ending ending = new McapReader(channel, new McapHandler() {
                        @Override
                        public void onRecord(McapRecord record) {
                            records.add(record);
                        }
                    })
                    .read();
            assertThat(ending.isComplete()).isTrue();
        }
        return records;
    }
}
