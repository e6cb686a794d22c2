package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mavlogd.fetch.FaultyDisk.Op;
import org.mavlogd.mavlink.Heartbeat;

/**
 * The disk fails under the daemon's store: one fetch ends, others continue, and a later one fetches the missing pieces.
 */
class FetchStoreFaultsTest {
    private static final FetchTarget VEHICLE = new FetchTarget(7, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191);
    private static final RemoteLog BAD = new RemoteLog(1, 30_000, 0, "/APM/LOGS/00000001.BIN");
    private static final RemoteLog GOOD = new RemoteLog(2, 20_000, 0, "/APM/LOGS/00000002.BIN");
    private static final String BAD_NAME = "sys007_log00001_30000.bin";
    private static final String GOOD_NAME = "sys007_log00002_20000.bin";
    private static final int PIECE = 1000;

    /** The operation that fails, and the file of the log it fails for. */
    enum Kind {
        NO_SPACE(Op.WRITE, ".part", "No space left on device"),
        BROKEN_MEDIUM(Op.WRITE, ".part", "Input/output error"),
        BROKEN_FSYNC(Op.FORCE, ".part", "Input/output error"),
        NO_SPACE_FOR_THE_NOTE(Op.WRITE, ".part.note.new", "No space left on device"),
        NOTE_NOT_RENAMED(Op.MOVE, ".part.note", "Input/output error"),
        READ_ONLY(Op.OPEN, ".part", "Read-only file system"),
        LOG_NOT_RENAMED(Op.LINK, "", "Input/output error"),
        NOTE_NOT_DELETED(Op.DELETE, ".part.note", "Input/output error");

        private final Op op;
        private final String file;
        private final String reason;

        Kind(Op op, String file, String reason) {
            this.op = op;
            this.file = file;
            this.reason = reason;
        }

        private void on(FaultyDisk disk) {
            disk.fail(op, BAD_NAME + file, reason);
            if (op == Op.LINK) {
                disk.fail(Op.MOVE, BAD_NAME, reason);
            }
        }
    }

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final FaultyDisk disk = new FaultyDisk();
    private final byte[] content = new byte[30_000];
    private long nowNs;

    private FetchStore store() {
        new Random(5).nextBytes(content);
        FetchStore store =
                new FetchStore(disk, directory.resolve("fetched"), () -> Long.MAX_VALUE, 1_000_000, () -> nowNs);
        store.doWork();
        return store;
    }

    private Optional<FetchClient.Start> begin(FetchStore store, FetchClient client, RemoteLog log) {
        Optional<FetchClient.Start> start = client.begin(log, false);
        for (int i = 0; i < 3 && start.isEmpty(); i++) {
            work(store);
            start = client.begin(log, false);
        }
        return start;
    }

    private void work(FetchStore store) {
        nowNs += 500_000_000L;
        store.doWork();
    }

    /** Fetches missing pieces like a session, until the log is complete or there is a problem. */
    private void fetch(FetchStore store, FetchClient client, RemoteLog log, Runnable each) {
        FetchClient.Start start = begin(store, client, log).orElseThrow();
        MissingRanges missing = start.missing();
        for (int i = 0; i < missing.count(); i++) {
            for (long at = missing.start(i); at < missing.end(i); at += PIECE) {
                if (start.sink().problem().isEmpty()) {
                    int length = (int) Math.min(PIECE, missing.end(i) - at);
                    assertThat(start.sink().write(at, content, (int) at, length))
                            .isTrue();
                    work(store);
                    each.run();
                }
            }
        }
        if (start.sink().problem().isEmpty()) {
            client.onWhole(log, OptionalInt.empty());
        } else {
            client.onCut(log, start.sink().problem());
        }
        work(store);
    }

    private byte[] start(int length) {
        return java.util.Arrays.copyOf(content, length);
    }

    private Path file(String name) {
        return directory.resolve("fetched").resolve(name);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void oneFetchEndsTheOtherGoesOnAndALaterOneCompletesIt(Kind kind) throws IOException {
        FetchStore store = store();
        FetchClient other = store.client(VEHICLE, "water");
        FetchClient client = store.client(VEHICLE, "air");
        int[] pieces = {0};
        if (kind == Kind.READ_ONLY) {
            kind.on(disk);
        }
        fetch(store, client, BAD, () -> {
            if (++pieces[0] == 10) {
                kind.on(disk);
                fetch(store, other, GOOD, () -> {});
            }
        });
        if (pieces[0] == 0) {
            fetch(store, other, GOOD, () -> {});
        }

        assertThat(disk.hits()).isPositive();
        assertThat(file(GOOD_NAME)).hasBinaryContent(start(20_000));
        boolean isThere = kind == Kind.NOTE_NOT_DELETED;
        if (isThere && Files.exists(file(BAD_NAME))) {
            assertThat(file(BAD_NAME)).hasBinaryContent(content);
        } else {
            assertThat(file(BAD_NAME)).doesNotExist();
        }

        disk.heal();
        FetchStore again = store;
        if (kind == Kind.BROKEN_FSYNC) {
            store.onClose();
            again = store();
        }
        FetchClient later = again.client(VEHICLE, "air");
        if (!later.onList(List.of(BAD), FetchClient.Way.FTP).isEmpty()) {
            fetch(again, later, BAD, () -> {});
        }
        assertThat(file(BAD_NAME)).hasBinaryContent(content);
        again.onClose();
        assertThat(partsLeft()).isEmpty();
    }

    private List<String> partsLeft() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("fetched"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".part") || name.endsWith(".new"))
                    .toList();
        }
    }

    @Test
    void aDirectoryThatVanishesIsMadeAgainForTheNextFetch() throws IOException {
        FetchStore store = store();
        FetchClient client = store.client(VEHICLE, "air");
        FetchClient.Start start = begin(store, client, BAD).orElseThrow();
        assertThat(start.sink().write(0, content, 0, PIECE)).isTrue();
        work(store);
        try (Stream<Path> files = Files.list(directory.resolve("fetched"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory.resolve("fetched"));
        assertThat(start.sink().write(PIECE, content, PIECE, PIECE)).isTrue();
        for (int i = 0; i < 6; i++) {
            work(store);
        }

        assertThat(start.sink().problem()).contains(".part.note.new", "no such file or directory");
        client.onCut(BAD, start.sink().problem());
        fetch(store, client, BAD, () -> {});
        assertThat(file(BAD_NAME)).hasBinaryContent(content);
    }

    @Test
    void aDirectoryThatCannotBeMadeIsToldByTheFetch() throws IOException {
        Files.writeString(directory.resolve("fetched"), "a file");
        FetchStore store = store();
        FetchClient client = store.client(VEHICLE, "air");

        FetchClient.Start start = begin(store, client, BAD).orElseThrow();

        assertThat(start.sink().problem()).contains("fetched: exists already");
        assertThat(start.sink().write(0, content, 0, PIECE)).isTrue();
        store.doWork();
        store.onClose();
    }

    @Test
    void aMistakeOfOursEndsOneFetchAndClosingSavesTheOthers() throws IOException {
        boolean[] isBroken = {false};
        FetchStore store = new FetchStore(
                disk,
                directory.resolve("fetched"),
                () -> {
                    if (isBroken[0]) {
                        throw new IllegalStateException("a mistake");
                    }
                    return Long.MAX_VALUE;
                },
                0,
                () -> nowNs);
        FetchClient good = store.client(VEHICLE, "water");
        FetchClient.Start start = begin(store, good, GOOD).orElseThrow();
        assertThat(start.sink().write(0, content, 0, 5000)).isTrue();
        store.doWork();
        isBroken[0] = true;
        FetchClient bad = store.client(VEHICLE, "air");
        assertThat(begin(store, bad, BAD).orElseThrow().sink().problem()).contains("a mistake");
        assertThat(bad.begin(BAD, false)).as("asks the store again").isEmpty();

        store.onClose();

        assertThat(Files.readString(file(GOOD_NAME + ".part.note"))).contains("\n5000 20000\n");
    }
}
