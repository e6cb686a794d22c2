package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.logtools.Logs;
import picocli.CommandLine;

/** Every command gives a result or one line for every damaged log, never a stack trace. */
class DamagedLogsTest {
    /**
     * The position of damage. Definitions of events have no single position; messages before the start of a clock and
     * topics with too many columns are no damage.
     */
    private static final String PLACE =
            "at byte [0-9,]+|definitions of its events|before the clock of the first log began"
                    + "|columns; a Parquet file may have at most";

    private static final SortedMap<String, byte[]> LOGS = new TreeMap<>();

    @TempDir
    private Path directory = Path.of(".");

    @TempDir
    private Path sounds = Path.of(".");

    private final Shell shell = new Shell();

    @BeforeAll
    static void readLogs() throws IOException {
        String chosen = System.getProperty("logs.directory", "");
        if (!chosen.isEmpty()) {
            readAll(Path.of(chosen));
            return;
        }
        LOGS.putAll(Logs.corners());
        byte[] real = Logs.real("mcap_ulog2mcap_test");
        LOGS.put("real", real);
        LOGS.put("damaged", Logs.real(Logs.DAMAGED));
        LOGS.put("empty", new byte[0]);
        LOGS.put("magic", Arrays.copyOf(real, 7));
        LOGS.put("header", Arrays.copyOf(real, 16));
        LOGS.put("text", "no log\n".repeat(100).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        LOGS.put("fmt", new byte[] {(byte) 0xA3, (byte) 0x95, (byte) 0x80, 1, 2, 3});
        byte[] zipped = gzip(real);
        LOGS.put("gzip", zipped);
        LOGS.put("gzip cut", Arrays.copyOf(zipped, zipped.length / 2));
        LOGS.put("gzip of nothing", gzip(new byte[0]));
        byte[] flipped = zipped.clone();
        flipped[zipped.length / 3] ^= 0x55;
        LOGS.put("gzip damaged", flipped);
        for (int seed = 1; seed <= 5; seed++) {
            LOGS.put("seed " + seed, damaged(real, new Random(seed)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "info --json LOG",
                "check LOG",
                "params LOG",
                "messages --json LOG",
                "recover LOG OUT",
                "convert LOG OUT",
                "append LOG --message warning text",
                "cat LOG --topic vehicle_status",
                "cut LOG --from +1 -o OUT",
                "filter LOG --topics * -o OUT",
                "merge LOG SOUND -o OUT",
                "export csv LOG -o OUT",
                "export mcap LOG -o OUT",
                "export parquet LOG -o OUT",
                "export gpx LOG -o OUT",
                "export kml LOG -o OUT"
            })
    void everyLogGivesAResultOrOneLine(String command) throws IOException {
        org.assertj.core.api.Assumptions.assumeThat(exists(command)).as(command).isTrue();
        Path sound = Logs.real("yule_trig_stats", sounds);
        for (Map.Entry<String, byte[]> one : LOGS.entrySet()) {
            Path log = Files.write(directory.resolve("log"), one.getValue());
            Path out = directory.resolve("out");

            int code = shell.run(words(command, log, out, sound));

            String what = command + " of " + one.getKey() + ": " + code + " " + shell.err();
            assertThat(code).as(what).isIn(0, 1, 3);
            assertThat(shell.err().lines().count()).as(what).isLessThanOrEqualTo(1);
            if (code != 0) {
                // check reports in its results
                assertThat(shell.out() + shell.err())
                        .as(what)
                        .contains(log.toString())
                        .doesNotContain("Exception", "\tat ");
            }
            assertThat(shell.out() + shell.err()).as(what).doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f]");
            if (code == 3) {
                assertThat(shell.out() + shell.err()).as(what).containsPattern(PLACE);
            }
            if (code == 1) {
                assertThat(out).as(what).doesNotExist();
            }
            if (Boolean.getBoolean("logs.print")) {
                System.out.println(code + "\t" + command + "\t" + one.getKey() + "\t"
                        + shell.err().strip());
            }
            delete(out);
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(directory.resolve("log"));
        }
    }

    private static boolean exists(String command) {
        CommandLine at = Main.commandLine();
        for (String word : command.split(" ", -1)) {
            if (at.getSubcommands().isEmpty()) {
                return true;
            }
            CommandLine next = at.getSubcommands().get(word);
            if (next == null) {
                return false;
            }
            at = next;
        }
        return true;
    }

    private static Object[] words(String command, Path log, Path out, Path sound) {
        return Arrays.stream(command.split(" ", -1))
                .map(word -> switch (word) {
                    case "LOG" -> log;
                    case "OUT" -> out;
                    case "SOUND" -> sound;
                    default -> word;
                })
                .toArray();
    }

    /** A log with bytes changed, removed and repeated, and its end truncated. */
    private static byte[] damaged(byte[] log, Random random) {
        byte[] bytes = Arrays.copyOf(log, log.length - random.nextInt(log.length / 2));
        for (int i = random.nextInt(200); i >= 0; i--) {
            int range = random.nextBoolean() ? bytes.length : 50_000;
            bytes[16 + random.nextInt(range - 16)] = (byte) random.nextInt();
        }
        int from = random.nextInt(bytes.length / 2);
        int to = random.nextInt(bytes.length / 2);
        int count = random.nextInt(bytes.length / 4);
        System.arraycopy(bytes.clone(), from, bytes, to, count);
        return bytes;
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }

    private static void readAll(Path chosen) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(chosen)) {
            all.filter(file -> file.toString().matches(".*\\.(ulg|bin)(\\.gz)?"))
                    .forEach(files::add);
        }
        for (Path file : files) {
            LOGS.put(chosen.relativize(file).toString(), Files.readAllBytes(file));
        }
    }

    private static void delete(Path out) throws IOException {
        if (Files.isDirectory(out)) {
            try (Stream<Path> files = Files.list(out)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.deleteIfExists(out);
    }
}
