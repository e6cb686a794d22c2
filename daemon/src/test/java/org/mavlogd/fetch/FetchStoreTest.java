package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.mavlink.Heartbeat;

class FetchStoreTest {
    private static final FetchTarget VEHICLE = new FetchTarget(7, 1, Heartbeat.AUTOPILOT_ARDUPILOT, 191);
    private static final RemoteLog OLD = new RemoteLog(1, 3000, 0, "/APM/LOGS/00000001.BIN");
    private static final RemoteLog NEW = new RemoteLog(2, 5000, 0, "/APM/LOGS/00000002.BIN");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final byte[] content = new byte[5000];
    private final FaultyDisk disk = new FaultyDisk();
    private long nowNs;
    private long spareBytes = Long.MAX_VALUE;
    private List<Integer> strangers = List.of();
    private long deletedBytes;

    @SuppressWarnings("NullAway.Init")
    private FetchStore store;

    @SuppressWarnings("NullAway.Init")
    private FetchClient client;

    @BeforeEach
    void begin() {
        new Random(3).nextBytes(content);
        store = store(0);
        store.doWork();
        client = store.client(VEHICLE, "air");
    }

    private FetchStore store(long maxTotalBytes) {
        FetchStore.Room room = new FetchStore.Room() {
            @Override
            public long spareBytes() {
                return spareBytes;
            }

            @Override
            public boolean isKnown(int systemId) {
                return !strangers.contains(systemId);
            }

            @Override
            public void onDeleted(long bytes) {
                deletedBytes += bytes;
            }
        };
        return new FetchStore(disk, directory.resolve("fetched"), room, maxTotalBytes, () -> nowNs);
    }

    private FetchClient.Start start(RemoteLog log) {
        Optional<FetchClient.Start> start = client.begin(log, false);
        for (int i = 0; i < 3 && start.isEmpty(); i++) {
            store.doWork();
            start = client.begin(log, false);
        }
        return start.orElseThrow();
    }

    private void write(FetchClient.Start start, int from, int to) {
        assertThat(start.sink().write(from, content, from, to - from)).isTrue();
    }

    private Path file(String name) {
        return directory.resolve("fetched").resolve(name);
    }

    @Test
    void theNewestLogIsFetchedUnlessItIsThere() throws IOException {
        assertThat(client.onList(List.of(OLD, NEW), FetchClient.Way.FTP)).containsExactly(NEW);
        FetchClient.Start start = start(NEW);
        assertThat(start.missing().bytes()).isEqualTo(5000);
        write(start, 0, 5000);
        client.onWhole(NEW, OptionalInt.empty());
        store.doWork();

        assertThat(file("sys007_log00002_5000.bin")).hasBinaryContent(content);
        assertThat(client.onList(List.of(OLD, NEW), FetchClient.Way.FTP)).isEmpty();
        RemoteLog grown = new RemoteLog(2, 5001, 0, NEW.path());
        assertThat(client.onList(List.of(OLD, grown), FetchClient.Way.FTP)).containsExactly(grown);
    }

    @Test
    void whatAFlightCutOffGoesOnAfterTheNextOneAlsoAfterARestart() throws IOException {
        FetchClient.Start first = start(OLD);
        write(first, 0, 2000);
        client.onCut(OLD, "armed");
        store.doWork();
        store.onClose();

        store = store(0);
        store.doWork();
        client = store.client(VEHICLE, "air");
        assertThat(client.onList(List.of(OLD, NEW), FetchClient.Way.FTP)).containsExactly(NEW, OLD);
        FetchClient.Start again = start(OLD);
        assertThat(again.missing().start(0)).isEqualTo(2000 - 1024);
        write(again, 2000 - 1024, 3000);
        client.onWhole(OLD, OptionalInt.empty());
        store.doWork();

        assertThat(file("sys007_log00001_3000.bin")).hasSize(3000);
    }

    @Test
    void aPartOfAnotherLogIsNoticedAndBegunAnew() {
        FetchClient.Start first = start(OLD);
        write(first, 0, 2000);
        client.onCut(OLD, "armed");
        store.doWork();
        content[1999]++;
        FetchClient.Start again = start(OLD);
        write(again, 1500, 2000);
        store.doWork();
        assertThat(again.sink().isStale()).isTrue();

        assertThat(client.begin(OLD, true)).isEmpty();
        store.doWork();
        FetchClient.Start restarted = client.begin(OLD, true).orElseThrow();
        assertThat(restarted.sink().problem()).isEmpty();
        assertThat(restarted.missing().bytes()).isEqualTo(3000);
    }

    /** All bytes are received before the store's thread compares the first of them. */
    @Test
    void aPartOfAnotherLogNeverBecomesALog() throws IOException {
        FetchClient.Start first = start(OLD);
        write(first, 0, 2900);
        client.onCut(OLD, "armed");
        store.doWork();
        content[2000]++;
        FetchClient.Start again = start(OLD);
        write(again, 2900 - 1024, 3000);
        client.onWhole(OLD, OptionalInt.empty());
        store.doWork();

        assertThat(names()).isEmpty();
        assertThat(store.stored(VEHICLE, OLD).problem()).contains("another log");
        assertThat(fetched(OLD)).isEmpty();
        assertThat(file("sys007_log00001_3000.bin")).hasBinaryContent(Arrays.copyOf(content, 3000));
    }

    /** Without its last bytes, which could not be written after the vehicle had sent all. */
    @Test
    void aLogWhoseLastBytesCouldNotBeWrittenIsShownAsNotStored() {
        FetchClient.Start start = start(NEW);
        write(start, 0, 4000);
        store.doWork();
        disk.fail(FaultyDisk.Op.WRITE, "sys007_log00002_5000.bin.part", "Input/output error");
        write(start, 4000, 5000);
        client.onWhole(NEW, OptionalInt.empty());
        store.doWork();

        assertThat(store.stored(VEHICLE, NEW).problem()).contains("nput/output error");
        assertThat(store.stored(VEHICLE, NEW).isWhole()).isFalse();
        disk.heal();
        assertThat(fetched(NEW)).isEmpty();
        assertThat(store.stored(VEHICLE, NEW).problem()).isEmpty();
    }

    @Test
    void theOldestFetchedLogsMakeRoomAndNothingElseDoes() throws IOException {
        Files.createDirectories(file(""));
        long day = 86_400_000;
        make("sys007_log00003_4000.bin", 4000, day);
        make("sys007_log00004_4000.bin", 4000, 2 * day);
        make("sys007_log00005_4000.bin", 4000, 3 * day);
        make("my-notes.txt", 4000, 0);
        make("sys007_log00003.bin", 4000, 0);
        store = store(10_000);
        client = store.client(VEHICLE, "air");

        assertThat(fetched(NEW)).isEmpty();

        assertThat(file("sys007_log00003_4000.bin")).doesNotExist();
        assertThat(file("sys007_log00004_4000.bin")).doesNotExist();
        assertThat(file("sys007_log00005_4000.bin")).exists();
        assertThat(file("my-notes.txt")).exists();
        assertThat(file("sys007_log00003.bin")).exists();
    }

    @Test
    void aMarkedLogIsNeverDeletedAndDoesNotCount() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00003_4000.bin", 4000, 1);
        make("sys007_log00004_4000.bin", 4000, 2);
        FetchedLogs marks = new FetchedLogs(file(""));
        assertThat(marks.keep("sys007_log00003_4000.bin")).isTrue();
        assertThat(marks.keep("sys007_log00003_4000.bin")).isFalse();
        store = store(5000);
        client = store.client(VEHICLE, "air");

        assertThat(fetched(NEW)).isEmpty();

        assertThat(file("sys007_log00003_4000.bin")).exists();
        assertThat(file("sys007_log00004_4000.bin")).doesNotExist();
        assertThat(marks.unkeep("sys007_log00003_4000.bin")).isTrue();
        assertThat(marks.unkeep("sys007_log00003_4000.bin")).isFalse();
        assertThatThrownBy(() -> marks.keep("sys007_log00004_4000.bin")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> marks.keep("../sys007_log00003_4000.bin")).isInstanceOf(NoSuchFileException.class);
        assertThat(file("sys007_log00004_4000.bin.keep")).doesNotExist();
    }

    /** A log that was fetched while the clock showed 1970 is still the newest. */
    @Test
    void aLogThatCameBeforeTheClockWasSetIsTheNewestAllTheSame() throws IOException {
        Files.createDirectories(file(""));
        long year2026 = 1_795_000_000_000L;
        make("sys007_log00003_4000.bin", 4000, year2026);
        fetchAt(OLD, 5000);
        assertThat(Files.getLastModifiedTime(file("sys007_log00001_3000.bin")).toMillis())
                .isGreaterThan(year2026);
        store = store(9000);
        client = store.client(VEHICLE, "air");

        assertThat(fetched(NEW)).isEmpty();

        assertThat(file("sys007_log00003_4000.bin")).doesNotExist();
        assertThat(file("sys007_log00001_3000.bin")).exists();
    }

    @Test
    void thePartOfAnUnfinishedLogIsAsNewAsItsFlight() throws IOException {
        Files.createDirectories(file(""));
        long year2100 = 4_100_000_000_000L;
        make("sys007_log00003_4000.bin", 4000, year2100);
        FetchClient.Start start = start(OLD);
        write(start, 0, 1000);
        client.onCut(OLD, "armed");
        store.doWork();

        assertThat(Files.getLastModifiedTime(file("sys007_log00001_3000.bin.part"))
                        .toMillis())
                .isGreaterThan(year2100);
    }

    /** Fetches a log whose file gets this time, as if the clock showed it. */
    private void fetchAt(RemoteLog log, long timeMs) throws IOException {
        FetchClient.Start start = start(log);
        write(start, 0, (int) log.length());
        store.doWork();
        Path part = file(FetchedLogName.withLength(VEHICLE, log) + ".part");
        Files.setLastModifiedTime(part, FileTime.fromMillis(timeMs));
        client.onWhole(log, OptionalInt.empty());
        store.doWork();
    }

    @Test
    void whatCannotBeDeletedIsLeftAndTheNextOneDoes() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00003_4000.bin", 4000, 1);
        make("sys007_log00004_4000.bin", 4000, 2);
        disk.fail(FaultyDisk.Op.DELETE, "sys007_log00003_4000.bin", "Operation not permitted");
        store = store(9000);
        client = store.client(VEHICLE, "air");

        assertThat(fetched(NEW)).isEmpty();

        assertThat(file("sys007_log00003_4000.bin")).exists();
        assertThat(file("sys007_log00004_4000.bin")).doesNotExist();
    }

    @Test
    void aLogThatNeverFitsCostsNoOther() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00003_900.bin", 900, 0);
        store = store(4999);
        client = store.client(VEHICLE, "air");

        assertThat(start(NEW).sink().problem()).contains("5000 bytes", "max_total_mib");
        assertThat(file("sys007_log00003_900.bin")).exists();
    }

    /** A vehicle's claim of 4 GiB once deleted all stored logs. */
    @Test
    void onlyBytesThatHaveComeDisplaceOlderLogs() throws IOException {
        Files.createDirectories(file(""));
        int mebi = (int) FetchStore.CHECK_BYTES;
        for (int i = 3; i < 7; i++) {
            make("sys007_log0000" + i + "_" + mebi + ".bin", mebi, i);
        }
        long length = 4L * mebi;
        store = store(length);
        client = store.client(VEHICLE, "air");

        FetchClient.Start start = start(new RemoteLog(9, length, 0, "/APM/LOGS/00000009.BIN"));
        assertThat(start.sink().problem()).isEmpty();
        assertThat(names()).hasSize(4);
        assertThat(start.sink().write(0, content, 0, 5000)).isTrue();
        store.doWork();

        assertThat(start.sink().problem()).isEmpty();
        assertThat(names()).hasSize(3).doesNotContain("sys007_log00003_" + mebi + ".bin");
        assertThat(deletedBytes).isEqualTo(mebi);
    }

    @Test
    void theOldestGoAlsoWhereThereAreTooMany() throws IOException {
        makeMany(FetchedRoom.MAX_LOGS);

        assertThat(fetched(NEW)).isEmpty();

        assertThat(names())
                .hasSize(FetchedRoom.MAX_LOGS)
                .contains("sys007_log00002_5000.bin")
                .doesNotContain("sys001_log00000_1.bin");
    }

    @Test
    void vehicleThatWasNotKnownIsRefusedWhereThereAreTooMany() throws IOException {
        makeMany(FetchedRoom.MAX_LOGS);
        strangers = List.of(7);

        assertThat(fetched(NEW)).contains("one of more than 4096 fetched logs");

        assertThat(names()).hasSize(FetchedRoom.MAX_LOGS);
    }

    /** More files than the recorder ever keeps, put there by a user. */
    @Test
    void moreNamesThanAreEverKeptAreNotAllKnown() throws IOException {
        makeMany(2 * FetchedRoom.MAX_LOGS + 10);

        store.lookAgain();
        store.doWork();

        assertThat(store.names().whole()).hasSize(2 * FetchedRoom.MAX_LOGS);
    }

    private void makeMany(int count) throws IOException {
        Files.createDirectories(file(""));
        for (int i = 0; i < count; i++) {
            make(String.format(Locale.ROOT, "sys001_log%05d_1.bin", i), 1, i * 1000L);
        }
    }

    @Test
    void aLogOfWhichNothingCameLeavesNoFile() throws IOException {
        start(NEW);
        assertThat(file("sys007_log00002_5000.bin.part")).exists();

        client.onCut(NEW, "armed");
        store.doWork();

        assertThat(file("")).isEmptyDirectory();
    }

    @Test
    void vehicleThatWasNotKnownDisplacesItsOwnLogsOnly() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00001_4000.bin", 4000, 1);
        make("sys077_log00001_2000.ulg", 2000, 2);
        strangers = List.of(77, 78);
        store = store(8000);

        client = store.client(new FetchTarget(78, 1, Heartbeat.AUTOPILOT_PX4, 191), "air");
        assertThat(fetched(OLD)).contains("displaces only its own logs");
        assertThat(names()).hasSize(2);
        client = store.client(new FetchTarget(77, 1, Heartbeat.AUTOPILOT_PX4, 191), "air");
        assertThat(fetched(OLD)).isEmpty();

        assertThat(names()).containsExactlyInAnyOrder("sys007_log00001_4000.bin", "sys077_log00001_3000.ulg");
    }

    @Test
    void logsOfVehiclesThatWereNotKnownGoFirstWhereTheyTakeMoreThanAQuarter() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00003_4000.bin", 4000, 1);
        make("sys077_log00001_3000.ulg", 3000, 2);
        strangers = List.of(77);
        store = store(9000);
        client = store.client(VEHICLE, "air");

        assertThat(fetched(NEW)).isEmpty();

        assertThat(names()).containsExactlyInAnyOrder("sys007_log00003_4000.bin", "sys007_log00002_5000.bin");
    }

    /** Otherwise a claim would keep all other vehicles from fetching. */
    @Test
    void claimOfAVehicleThatWasNotKnownKeepsNobodyFromFetching() {
        strangers = List.of(77);
        store = store(8000);
        client = store.client(new FetchTarget(77, 1, Heartbeat.AUTOPILOT_PX4, 191), "air");
        assertThat(start(new RemoteLog(1, 8000, 0, "/log/1.ulg")).sink().problem())
                .isEmpty();
        client = store.client(VEHICLE, "water");

        assertThat(fetched(NEW)).isEmpty();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(file(""))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.contains(".part"))
                    .toList();
        }
    }

    /** Fetches the complete log; returns the problem. */
    private String fetched(RemoteLog log) {
        FetchClient.Start start = start(log);
        if (start.sink().problem().isEmpty()) {
            write(start, 0, (int) log.length());
            store.doWork();
        }
        String problem = start.sink().problem();
        if (problem.isEmpty()) {
            client.onWhole(log, OptionalInt.empty());
            store.doWork();
        }
        return problem;
    }

    @Test
    void theRoomOfTheRecorderIsLeftToIt() throws IOException {
        Files.createDirectories(file(""));
        make("sys007_log00003_900.bin", 900, 0);
        spareBytes = 4000;

        assertThat(start(NEW).sink().problem()).contains("recording needs the space");
        assertThat(file("sys007_log00003_900.bin")).exists();
    }

    @Test
    void whatIsUnderWayCountsForTheNextOne() {
        spareBytes = 7000;
        assertThat(start(OLD).sink().problem()).isEmpty();
        client = store.client(VEHICLE, "water");

        assertThat(start(NEW).sink().problem()).contains("recording needs the space");
    }

    @Test
    void theLimitOfAllHoldsForSeveralAtOnce() {
        store = store(7999);
        client = store.client(VEHICLE, "air");
        assertThat(start(OLD).sink().problem()).isEmpty();
        client = store.client(VEHICLE, "water");

        assertThat(start(NEW).sink().problem()).contains("max_total_mib");
    }

    @Test
    void recordingThatNeedsTheRoomMeanwhileGetsIt() {
        int length = (int) (2 * FetchStore.CHECK_BYTES);
        RemoteLog large = new RemoteLog(3, length, 0, "/APM/LOGS/00000003.BIN");
        byte[] bytes = new byte[length];
        FetchClient.Start start = start(large);
        int position = 0;
        while (start.sink().problem().isEmpty() && position < length) {
            if (start.sink().write(position, bytes, position, 8192)) {
                position += 8192;
            }
            store.doWork();
            spareBytes = -1;
        }

        assertThat(start.sink().problem()).contains("recording needs the space");
        assertThat(position).isEqualTo((int) FetchStore.CHECK_BYTES + 8192);
        assertThat(file("sys007_log00003_" + length + ".bin.part")).exists();
    }

    @Test
    void anErrorOfTheDiskEndsOneFetchAndNothingElse() {
        store = new FetchStore(
                disk,
                directory.resolve("fetched"),
                () -> {
                    throw new UncheckedIOException(new IOException("Input/output error"));
                },
                0,
                () -> nowNs);
        client = store.client(VEHICLE, "air");

        assertThat(start(NEW).sink().problem()).contains("Input/output error");
        assertThat(store.doWork()).isZero();
    }

    @Test
    void aFullMailboxTakesNoMoreBytesButStillTheEnd() {
        FetchClient.Start start = start(NEW);
        int taken = 0;
        while (taken < 5000 && start.sink().write(taken, content, taken, 1)) {
            taken++;
        }
        assertThat(taken).isBetween(1000, 2048);
        client.onCut(NEW, "armed");
        while (store.doWork() > 0) {
            nowNs++;
        }
        FetchClient.Start again = start(NEW);
        assertThat(again.missing().bytes()).isEqualTo(5000 - taken + 1024);
    }

    @Test
    void aWrongChecksumIsToldAndNotKept() {
        FetchClient.Start start = start(NEW);
        write(start, 0, 5000);
        client.onWhole(NEW, OptionalInt.of(1));
        store.doWork();

        assertThat(file("").toFile().list()).isEmpty();
    }

    private void make(String name, int length, long timeMs) throws IOException {
        Files.writeString(file(name), "x".repeat(length), StandardCharsets.US_ASCII);
        Files.setLastModifiedTime(file(name), FileTime.fromMillis(timeMs));
    }
}
