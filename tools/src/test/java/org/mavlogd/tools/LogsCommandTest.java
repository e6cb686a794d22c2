package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.app.JsonTree;
import org.mavlogd.logtools.Logs;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FileDisk;

/** {@code mavlogd logs} as users run it. */
class LogsCommandTest {
    private static final String OLD = "0000-00-00_00-00-00_sys001_000007.ulg";
    private static final String NEW = "2026-11-21_14-03-59_sys002_000008.ulg";
    private static final byte[] HEADER = {'U', 'L', 'o', 'g', 0x01, 0x12, 0x35, 1, 0, 0, 0, 0, 0, 0, 0, 0};

    @TempDir
    private Path directory = Path.of(".");

    private final Shell shell = new Shell();

    private void put(String name, byte[] bytes) throws IOException {
        Files.write(directory.resolve(name), bytes);
    }

    private static byte[] withAppendedData() {
        byte[] log = Arrays.copyOf(HEADER, 59);
        log[16] = 40;
        log[18] = 'B';
        log[27] = 1;
        return log;
    }

    @Test
    void listsLogsWithTheirStates() throws IOException {
        put(NEW, withAppendedData());
        put(OLD, HEADER);
        put("0000-00-00_00-00-00_sys001_000009.ulg.part", new byte[0]);
        put("2026-11-22_00-00-00_sys001_000010.ulg.part", HEADER);
        put("notes.txt", new byte[5]);
        Path growing = directory.resolve("2026-11-22_00-00-00_sys001_000010.ulg.part");
        shell.run("logs", "keep", OLD, "--dir", directory);

        try (Disk.Output held = grow(growing)) {
            assertThat(held).isNotNull();
            assertThat(shell.run("logs", "--dir", directory)).isZero();
        }

        assertThat(shell.err()).isEmpty();
        List<String> lines =
                shell.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertThat(lines)
                .startsWith(
                        "LOG START (UTC) VEHICLE SIZE STATE",
                        OLD + " clock not set 1 16 bytes finished, kept",
                        NEW + " 2026-11-21 14:03:59 2 59 bytes finished, crash data",
                        "0000-00-00_00-00-00_sys001_000009.ulg.part clock not set 1 0 bytes unfinished, empty",
                        "2026-11-22_00-00-00_sys001_000010.ulg.part 2026-11-22 00:00:00 1 16 bytes recording");
        assertThat(lines.get(5)).startsWith("4 logs, 91 bytes in " + directory).contains("B free");
        assertThat(shell.out()).doesNotContain("notes.txt").doesNotContain(".keep");
        shell.run("logs", "--json", "--dir", directory);
        assertThat(shell.out()).contains("\"begin_utc\" : null").doesNotContain("limits");
    }

    @Test
    void keepsAndListsAllFilesOfAFlightAsOneLog() throws IOException {
        String bin = "2026-11-21_14-03-59_sys001_000001.bin";
        String ulog = "2026-11-21_14-04-01_sys001_000001_000002.ulg";
        put(bin, new byte[] {(byte) 0xA3, (byte) 0x95, (byte) 0x80, 0, 0});
        put(ulog, HEADER);

        assertThat(shell.run("logs", "keep", "LAST", "--dir", directory)).isZero();
        assertThat(shell.out()).isEqualTo(bin + ", " + ulog + ": kept" + System.lineSeparator());
        shell.run("logs", "--dir", directory);
        assertThat(shell.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .contains(
                        "2026-11-21_14-03-59_sys001_000001 2026-11-21 14:03:59 1 21 bytes finished, .bin and .ulg, kept")
                .anyMatch(line -> line.startsWith("1 log in 2 files, "))
                .hasSize(3);
        shell.run("logs", "--json", "--dir", directory);
        Map<String, Object> log = objectAt(
                (List<?>) Objects.requireNonNull(JsonTree.read(shell.out()).get("logs")), 0);
        assertThat(log)
                .containsEntry("name", "2026-11-21_14-03-59_sys001_000001")
                .containsEntry("file", ulog)
                .containsEntry("bytes", 21L)
                .containsEntry("kept", true);
        assertThat((List<?>) Objects.requireNonNull(log.get("files"))).hasSize(2);
        assertThat(shell.run("logs", "keep", bin, "--dir", directory)).isZero();
        assertThat(shell.out()).contains("was kept already");

        assertThat(shell.run("logs", "unkeep", bin, "--dir", directory)).isZero();
        shell.run("logs", "--dir", directory);
        assertThat(shell.out()).doesNotContain("kept");
    }

    /** Earlier versions gave each file its own number, so each file is kept or not on its own. */
    @Test
    void listsAndKeepsAnArduPilotsLogs() throws IOException {
        byte[] message = {(byte) 0xA3, (byte) 0x95, (byte) 0x80, 0, 0};
        put("2026-11-21_14-03-59_sys001_000001.bin", message);
        put("2026-11-21_14-04-01_sys001_000002.ulg", HEADER);
        put("2026-11-21_15-00-00_sys001_000003.bin", new byte[] {1, 2, 3});
        put("2026-11-21_16-00-00_sys001_000004.bin.part", message);
        put("2026-11-21_16-00-02_sys001_000005.ulg.part", HEADER);
        put("2026-11-21_17-00-00_sys001_000006.bin.part", message);

        assertThat(shell.run("logs", "keep", "2026-11-21_14-03-59_sys001_000001", "--dir", directory))
                .isZero();
        assertThat(shell.out()).isEqualTo("2026-11-21_14-03-59_sys001_000001.bin: kept" + System.lineSeparator());
        assertThat(shell.run("logs", "keep", "2026-11-21_16-00-00_sys001_000004.bin.part", "--dir", directory))
                .isZero();
        assertThat(directory.resolve("2026-11-21_16-00-00_sys001_000004.bin.keep"))
                .exists();
        Path growing = directory.resolve("2026-11-21_17-00-00_sys001_000006.bin.part");
        try (Disk.Output held = grow(growing)) {
            assertThat(held).isNotNull();
            assertThat(shell.run("logs", "--dir", directory)).isZero();
        }

        assertThat(shell.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .startsWith(
                        "LOG START (UTC) VEHICLE SIZE STATE",
                        "2026-11-21_14-03-59_sys001_000001.bin 2026-11-21 14:03:59 1 5 bytes finished, kept",
                        "2026-11-21_14-04-01_sys001_000002.ulg 2026-11-21 14:04:01 1 16 bytes finished",
                        "2026-11-21_15-00-00_sys001_000003.bin 2026-11-21 15:00:00 1 3 bytes finished,"
                                + " no DataFlash message at its beginning",
                        "2026-11-21_16-00-00_sys001_000004.bin.part 2026-11-21 16:00:00 1 5 bytes unfinished, kept",
                        "2026-11-21_16-00-02_sys001_000005.ulg.part 2026-11-21 16:00:02 1 16 bytes unfinished",
                        "2026-11-21_17-00-00_sys001_000006.bin.part 2026-11-21 17:00:00 1 5 bytes recording");
        assertThat(shell.run("logs", "unkeep", "2026-11-21_14-03-59_sys001_000001.bin", "--dir", directory))
                .isZero();
        assertThat(directory.resolve("2026-11-21_14-03-59_sys001_000001.bin.keep"))
                .doesNotExist();
        assertThat(shell.run("logs", "keep", "2026-11-21_14-03-59_sys001_000001.ulg", "--dir", directory))
                .as("there is no such ULog")
                .isEqualTo(1);
    }

    @Test
    void printsTheSameAsJson() throws IOException {
        String noLog = "2026-11-20_00-00-00_sys001_000007.ulg";
        put(NEW, withAppendedData());
        put(noLog, new byte[20]);
        Path config = Files.writeString(
                directory.resolve("c.toml"),
                "[log]\ndirectory = \"" + directory + "\"\nmax_files = 5\nkeep_free_mib = 1073741824\n"
                        + "reserve_mib = 1\n[[link]]\nname = \"a\"\ntype = \"udp\"\nlisten = \"127.0.0.1:14550\"\n");

        assertThat(shell.run("logs", "--json", "--config", config)).isZero();

        Map<String, Object> listing = JsonTree.read(shell.out());
        assertThat(listing).containsEntry("directory", directory.toString()).containsEntry("logs_bytes", 79L);
        assertThat((Long) listing.get("usable_bytes")).isPositive();
        assertThat((Long) listing.get("total_bytes")).isPositive();
        assertThat(listing.get("limits"))
                .isEqualTo(Map.of(
                        "keep_free_mib", 1_073_741_824L, "max_total_mib", 0L, "max_files", 5L, "reserve_mib", 1L));
        List<?> logs = (List<?>) Objects.requireNonNull(listing.get("logs"));
        assertThat(logs).hasSize(2);
        assertThat(objectAt(logs, 0))
                .containsEntry("file", noLog)
                .containsEntry("state", "finished")
                .containsEntry("problem", "no ULog header")
                .containsEntry("crash_data", false)
                .containsEntry("kept", false)
                .containsEntry("log", 7L);
        assertThat(objectAt(logs, 1))
                .containsEntry("begin_utc", "2026-11-21T14:03:59Z")
                .containsEntry("crash_data", true)
                .containsEntry("system_id", 2L)
                .containsEntry("bytes", 59L)
                .containsKey("last_write_utc");
        shell.run("logs", "--config", config);
        assertThat(shell.out())
                .as("an eighth of this disk, as the recorder keeps it")
                .containsPattern(
                        "deleted when old: below \\d{1,8} [KM]iB free, above 5 logs; recording pauses below 1024 KiB free");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> objectAt(List<?> list, int index) {
        return (Map<String, Object>) list.get(index);
    }

    @Test
    void keepsAndLetsGo() throws IOException {
        put(NEW, HEADER);
        put(OLD, HEADER);

        assertThat(shell.run("logs", "--dir", directory, "keep", OLD.replace(".ulg", "")))
                .isZero();
        assertThat(shell.out()).isEqualTo(OLD + ": kept" + System.lineSeparator());
        assertThat(directory.resolve(OLD + ".keep")).exists().isEmptyFile();
        assertThat(shell.run("logs", "keep", OLD, "--dir", directory)).isZero();
        assertThat(shell.out()).contains("was kept already");
        assertThat(shell.run("logs", "keep", "LAST", "--dir", directory)).isZero();
        assertThat(shell.out()).contains(NEW + ": kept");

        // Renamed in the meantime, when the log's real time became known.
        Files.move(directory.resolve(OLD), directory.resolve("2026-11-20_00-00-00_sys001_000007.ulg"));
        assertThat(shell.run("logs", "unkeep", "2026-11-20_00-00-00_sys001_000007.ulg", "--dir", directory))
                .isZero();
        assertThat(shell.out()).contains("no longer kept");
        assertThat(shell.run("logs", "unkeep", "2026-11-20_00-00-00_sys001_000007.ulg", "--dir", directory))
                .isZero();
        assertThat(shell.out()).contains("was not kept");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder("2026-11-20_00-00-00_sys001_000007.ulg", NEW, NEW + ".keep");
        }
    }

    @Test
    void keepsAndLetsGoWhatWasFetched() throws IOException {
        String name = "2026-11-20_12-34-56_sys001_log00042_5.ulg";
        Path fetched = Files.createDirectory(directory.resolve("fetched"));
        Files.writeString(fetched.resolve(name), "12345");

        assertThat(shell.run("logs", "keep", name, "--dir", directory)).isZero();
        assertThat(shell.out()).isEqualTo(name + ": kept" + System.lineSeparator());
        assertThat(fetched.resolve(name + ".keep")).exists().isEmptyFile();
        assertThat(shell.run("logs", "keep", name, "--dir", directory)).isZero();
        assertThat(shell.out()).contains("was kept already");
        assertThat(shell.run("logs", "unkeep", name, "--dir", directory)).isZero();
        assertThat(shell.out()).contains("no longer kept");
        assertThat(shell.run("logs", "unkeep", name, "--dir", directory)).isZero();
        assertThat(shell.out()).contains("was not kept");
        assertThat(fetched.toFile().list()).containsExactly(name);

        assertThat(shell.run("logs", "keep", "sys001_log00043_5.bin", "--dir", directory))
                .isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("mavlogd logs keep: sys001_log00043_5.bin: no such log in " + directory
                        + "; 'mavlogd logs' lists the logs" + System.lineSeparator());
    }

    @Test
    void listsFetchedLogsAndDeletesThem() throws IOException {
        String whole = "2026-11-20_12-34-56_sys001_log00042_5.ulg";
        String part = "sys003_log00043_70.bin";
        Path fetched = Files.createDirectory(directory.resolve("fetched"));
        Files.writeString(fetched.resolve(whole), "12345");
        Files.writeString(fetched.resolve(part + ".part"), "123");
        Files.writeString(fetched.resolve(part + ".part.note"), "note");
        shell.run("logs", "keep", whole, "--dir", directory);

        assertThat(shell.run("logs", "--dir", directory)).isZero();

        assertThat(shell.out().lines().map(line -> line.replaceAll(" +", " ")).toList())
                .contains(
                        whole + " 2026-11-20 12:34:56 1 5 bytes fetched, kept",
                        part + " unknown 3 3 bytes incomplete",
                        "fetched from vehicles: 2 logs, 8 bytes")
                .hasSize(5);
        shell.run("logs", "--json", "--dir", directory);
        List<?> logs =
                (List<?>) Objects.requireNonNull(JsonTree.read(shell.out()).get("logs"));
        assertThat(objectAt(logs, 0))
                .containsEntry("name", whole)
                .containsEntry("file", "fetched/" + whole)
                .containsEntry("state", "fetched")
                .containsEntry("begin_utc", "2026-11-20T12:34:56Z")
                .containsEntry("kept", true);
        assertThat(objectAt(logs, 1)).containsEntry("state", "incomplete");
        assertThat(shell.run("logs", "path", whole, "--dir", directory)).isZero();
        assertThat(shell.out()).isEqualTo(fetched.resolve(whole) + System.lineSeparator());

        assertThat(shell.run("logs", "rm", whole, "--dir", directory)).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("mavlogd logs rm: " + whole + ": is kept" + System.lineSeparator());
        shell.run("logs", "unkeep", whole, "--dir", directory);
        assertThat(shell.run("logs", "rm", whole, "--dir", directory)).isZero();
        assertThat(fetched.resolve(whole)).doesNotExist();
    }

    @Test
    void crashDataAndRemarksAreToldApart() throws IOException {
        Path log = directory.resolve(NEW);
        Files.move(Logs.corner("golden", directory), log);
        shell.run("append", log, "--message", "warning", "propeller 3 was chipped");
        shell.run("logs", "--dir", directory);
        assertThat(shell.out()).contains("finished, remarks").doesNotContain("crash data");

        Path crash = Files.writeString(directory.resolve("fault.txt"), "hard fault at 0");
        shell.run("append", log, "--crash-text", crash);
        shell.run("logs", "--dir", directory);
        assertThat(shell.out()).contains("finished, crash data, remarks");
    }

    @Test
    void deletesALogWithAllItsFiles() throws IOException {
        String bin = "2026-11-21_14-03-59_sys001_000001.bin";
        String ulog = "2026-11-21_14-04-01_sys001_000001_000002.ulg";
        put(bin, new byte[] {(byte) 0xA3, (byte) 0x95, (byte) 0x80, 0, 0});
        put(ulog, HEADER);
        put(NEW, HEADER);

        assertThat(shell.run("logs", "path", "LAST~1", "--dir", directory)).isZero();
        assertThat(shell.out().lines())
                .containsExactly(
                        directory.resolve(bin).toString(),
                        directory.resolve(ulog).toString());
        assertThat(shell.run("logs", "path", "--dir", directory)).isZero();
        assertThat(shell.out()).isEqualTo(directory + System.lineSeparator());
        assertThat(shell.run("logs", "rm", "2026-11-21_14-03-59_sys001_000001", "--dir", directory))
                .isZero();

        assertThat(shell.out()).isEqualTo(bin + ", " + ulog + ": deleted" + System.lineSeparator());
        assertThat(directory.toFile().list()).containsExactly(NEW);
    }

    @Test
    void deletesNothingIfOneLogIsRefused() throws IOException {
        String growing = "2026-11-22_00-00-00_sys001_000010.ulg.part";
        put(NEW, HEADER);
        put(OLD, HEADER);
        put(growing, HEADER);
        shell.run("logs", "keep", OLD, "--dir", directory);

        try (Disk.Output held = grow(directory.resolve(growing))) {
            assertThat(held).isNotNull();
            assertThat(shell.run("logs", "rm", NEW, OLD, growing, "--dir", directory))
                    .isEqualTo(1);
        }
        assertThat(shell.err().lines())
                .containsExactly(
                        "mavlogd logs rm: " + OLD + ": is kept", "mavlogd logs rm: " + growing + ": is being written");
        assertThat(shell.run("logs", "rm", NEW, "2026-11-22_00-00-00_sys001_000011.ulg", "--dir", directory))
                .isEqualTo(1);
        assertThat(shell.run("logs", "rm", "../" + NEW, "--dir", directory)).isEqualTo(2);
        assertThat(shell.run("logs", "rm", "--dir", directory)).isEqualTo(2);
        assertThat(directory.resolve(NEW)).exists();
        assertThat(directory.resolve(growing)).exists();
        assertThat(shell.run("logs", "rm", growing, "--dir", directory))
                .as("left over, and nobody is about to finish it")
                .isZero();
    }

    @Test
    void keepsALogThatStillGrows() throws IOException {
        put(OLD + ".part", HEADER);

        assertThat(shell.run("logs", "keep", "LAST", "--dir", directory)).isZero();

        assertThat(directory.resolve(OLD + ".keep")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../" + OLD, "/etc/passwd", "a/b", "", "holiday.ulg", OLD + ".keep", "last", ".."})
    void refusesWhatIsNoName(String name) throws IOException {
        put(OLD, HEADER);

        assertThat(shell.run("logs", "keep", name, "--dir", directory)).isEqualTo(2);

        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.err()).startsWith("mavlogd logs keep: '" + name + "' is not a name of a log");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "unkeep", "rm", "path"})
    void suggestsANameForAMisspeltOne(String command) throws IOException {
        put(NEW, HEADER);
        put(OLD, HEADER);

        String other = NEW.replace("000008", "000009");
        assertThat(shell.run("logs", command, other, "--dir", directory)).isEqualTo(1);
        assertThat(shell.err()).contains(other + ": no such log in " + directory + " (did you mean \"" + NEW + "\"?)");
        String stem = NEW.replace(".ulg", "");
        assertThat(shell.run("logs", command, stem.replace("000008", "000009"), "--dir", directory))
                .isEqualTo(1);
        assertThat(shell.err()).contains(" (did you mean \"" + stem + "\"?)");
        String noName = NEW.replace("_000008", "000008");
        assertThat(shell.run("logs", command, noName, "--dir", directory)).isEqualTo(2);
        assertThat(shell.err()).contains("'" + noName + "' is not a name of a log (did you mean \"" + NEW + "\"?)");
        assertThat(directory.resolve(NEW)).exists();
    }

    @Test
    void saysInOneLineWhatIsWrong() throws IOException {
        assertThat(shell.run("logs", "keep", OLD, "--dir", directory)).isEqualTo(1);
        assertThat(shell.err().lines())
                .containsExactly("mavlogd logs keep: " + OLD + ": no such log in " + directory
                        + "; 'mavlogd logs' lists the logs");
        assertThat(shell.run("logs", "keep", "LAST", "--dir", directory)).isEqualTo(1);
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.run("logs", "--dir", directory.resolve("nowhere"))).isEqualTo(1);
        assertThat(shell.err().lines())
                .containsExactly("mavlogd logs: " + directory.resolve("nowhere") + ": no such directory");
        put("file", HEADER);
        assertThat(shell.run("logs", "--dir", directory.resolve("file"))).isEqualTo(1);
        assertThat(shell.err()).contains("not a directory");
        assertThat(shell.run("logs", "--dir", directory, "--config", "x")).isEqualTo(2);
        assertThat(shell.err()).contains("--config and --dir exclude each other");
        assertThat(shell.run("logs", "--config", directory.resolve("none.toml")))
                .isEqualTo(78);
        assertThat(shell.err().lines()).hasSize(1);
    }

    @Test
    void anEmptyDirectoryIsNoError() {
        assertThat(shell.run("logs", "--dir", directory)).isZero();
        assertThat(shell.out()).startsWith("0 logs, 0 bytes in " + directory);
    }

    /** Opens the log for growing, as a running recorder does. */
    private Disk.Output grow(Path log) throws IOException {
        return new FileDisk(directory).grow(String.valueOf(log.getFileName()), Files.size(log));
    }
}
