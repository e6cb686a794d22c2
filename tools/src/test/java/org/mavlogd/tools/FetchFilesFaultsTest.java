package org.mavlogd.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mavlogd.fetch.FaultyDisk;
import org.mavlogd.fetch.FaultyDisk.Op;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.MissingRanges;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.mavlink.Heartbeat;

/** The disk fails while the command fetches: the user gets one line, and the next run completes the log. */
class FetchFilesFaultsTest {
    private static final FetchTarget VEHICLE = new FetchTarget(1, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191);
    private static final RemoteLog LOG = new RemoteLog(4, 30_000, 0, "/APM/LOGS/00000004.BIN");
    private static final String NAME = "sys001_log00004.bin";
    private static final int PIECE = 1000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final byte[] content = new byte[30_000];
    private final List<String> said = new ArrayList<>();
    private final List<String> warned = new ArrayList<>();
    private long nowNs;

    @BeforeEach
    void fill() {
        new Random(8).nextBytes(content);
    }

    private FetchFiles files(boolean replaces) {
        FetchFiles.Teller teller = new FetchFiles.Teller() {
            @Override
            public void say(String line) {
                said.add(line);
            }

            @Override
            public void warn(String line) {
                warned.add(line);
            }
        };
        FetchFiles.Choice all = (vehicle, logs, way) -> logs;
        return new FetchFiles(
                new FetchFiles.Directory(VEHICLE, disk, directory.resolve("out"), replaces),
                all,
                teller,
                ProgressBar.nowhere(),
                () -> nowNs);
    }

    /** Fetches like a session; calls {@code each} after each piece. */
    private void fetch(FetchFiles files, OptionalInt checksum, Runnable each) {
        if (files.onList(List.of(LOG), FetchClient.Way.FTP).isEmpty()) {
            return;
        }
        FetchClient.Start start = files.begin(LOG, false).orElseThrow();
        MissingRanges missing = start.missing();
        for (int i = 0; i < missing.count(); i++) {
            for (long at = missing.start(i); at < missing.end(i); at += PIECE) {
                if (start.sink().problem().isEmpty()) {
                    nowNs += 500_000_000L;
                    start.sink().write(at, content, (int) at, (int) Math.min(PIECE, missing.end(i) - at));
                    files.onProgress(LOG, at);
                    each.run();
                }
            }
        }
        if (start.sink().problem().isEmpty()) {
            files.onWhole(LOG, checksum);
        } else {
            files.onCut(LOG, start.sink().problem());
        }
        files.onEnd("");
    }

    private Path file() {
        return directory.resolve("out").resolve(NAME);
    }

    @ParameterizedTest
    @CsvSource({
        "WRITE, .part, No space left on device",
        "WRITE, .part, Input/output error",
        "FORCE, .part, Input/output error",
        "WRITE, .part.note.new, No space left on device",
        "MOVE, .part.note, Input/output error",
        "LINK, '', Input/output error",
    })
    void aFailureIsToldInOneLineAndTheNextRunCompletesTheLog(Op op, String suffix, String reason) {
        int[] pieces = {0};
        FetchFiles first = files(false);
        fetch(first, OptionalInt.empty(), () -> {
            if (++pieces[0] == 10) {
                disk.fail(op, NAME + suffix, reason);
                if (op == Op.LINK) {
                    disk.fail(Op.MOVE, NAME, reason);
                }
            }
        });

        assertThat(disk.hits()).isPositive();
        assertThat(warned).hasSize(1);
        assertThat(warned.get(0)).startsWith("log 4: ").containsIgnoringCase(reason);
        assertThat(first.isAllThere()).isFalse();
        assertThat(first.hasAnything()).as("exit code 3").isTrue();
        assertThat(file()).doesNotExist();

        disk.heal();
        FetchFiles second = files(false);
        fetch(second, OptionalInt.empty(), () -> {});

        assertThat(warned).hasSize(1);
        assertThat(second.isAllThere()).isTrue();
        assertThat(file()).hasBinaryContent(content);
        assertThat(directory.resolve("out").toFile().list()).containsExactly(NAME);
        assertThat(said).anyMatch(line -> line.contains("continues with"));
    }

    @ParameterizedTest
    @CsvSource({"OPEN, .part", "MAKE_DIRECTORY, ''"})
    void aReadOnlyPlaceIsToldBeforeAnythingIsFetched(Op op, String suffix) {
        disk.fail(op, suffix.isEmpty() ? "out" : NAME + suffix, "Read-only file system");
        FetchFiles files = files(false);
        int[] pieces = {0};
        fetch(files, OptionalInt.empty(), () -> pieces[0]++);

        assertThat(pieces[0]).isZero();
        assertThat(warned)
                .singleElement()
                .satisfies(line -> assertThat(line).isEqualTo("log 4: " + file() + ": read-only file system"));
        assertThat(files.hasAnything()).isFalse();
    }

    @Test
    void aDirectoryThatVanishesIsTold() throws IOException {
        int[] pieces = {0};
        FetchFiles files = files(false);
        fetch(files, OptionalInt.empty(), () -> {
            if (++pieces[0] == 6) {
                deleteAll();
            }
        });

        assertThat(warned).singleElement().satisfies(line -> assertThat(line).contains("no such file or directory"));
        assertThat(files.isAllThere()).isFalse();
        fetch(files(false), OptionalInt.empty(), () -> {});
        assertThat(file()).hasBinaryContent(content);
    }

    private void deleteAll() {
        try {
            for (String name : java.util.Objects.requireNonNull(
                    directory.resolve("out").toFile().list())) {
                Files.delete(directory.resolve("out").resolve(name));
            }
            Files.delete(directory.resolve("out"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatIsToBeReplacedStaysUntilTheNewOneIsRight() throws IOException {
        Files.createDirectories(directory.resolve("out"));
        Files.writeString(file(), "precious");

        fetch(files(true), OptionalInt.of(1), () -> {});
        assertThat(warned).singleElement().satisfies(line -> assertThat(line).contains("checksum"));
        assertThat(file()).hasContent("precious");

        disk.fail(Op.MOVE, NAME, "Input/output error");
        disk.fail(Op.LINK, NAME, "Input/output error");
        fetch(files(true), OptionalInt.empty(), () -> {});
        assertThat(file()).hasContent("precious");

        disk.heal();
        fetch(files(true), OptionalInt.empty(), () -> {});
        assertThat(file()).hasBinaryContent(content);
    }
}
