package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.store.FakeDisk.Operation;
import org.mavlogd.store.Keeper.SpaceStatus.State;

/** Keeper and store on a small disk in memory. */
class SpaceKeeperTest {
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;
    private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final FakeDisk disk = new FakeDisk();
    private final StoreCounters counters = StoreCounters.unregistered();
    private final List<String> finished = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Logger logger = Logger.getLogger(SpaceKeeper.class.getName());
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord event) {
            told.add(event.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private long nowNs = 1000;
    private Keeper keeper = keeper(SpaceLimits.NONE);
    private LogStore store = store();

    @BeforeEach
    void listen() {
        logger.addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(listener);
    }

    private Keeper keeper(SpaceLimits limits) {
        return new Keeper(disk, () -> nowNs, (name, bytes) -> finished.add(name), limits, counters);
    }

    private LogStore store() {
        return new LogStore(disk, () -> 0, new StoreSettings(4096, StoreSettings.Durability.ofMs(500)), keeper);
    }

    private void limit(int keepFree, int maxTotal, int maxFiles, int reserve) {
        keeper = keeper(new SpaceLimits(keepFree, maxTotal, maxFiles, reserve));
        store = store();
    }

    @Test
    void makesRoomWhileAFileGrows() throws IOException {
        disk.capacity(24L * MEBI);
        addLogs(1, 20, MEBI);
        limit(1024 * MEBI, 0, 0, 32 * MEBI);
        workForMs(1000);
        assertThat(disk.storedNames()).hasSize(20); // 4 MiB are free, and 3 wanted

        LogFile file = store.create(1);
        for (int i = 0; i < 40; i++) {
            append(file, MEBI / 2);
            workForMs(250);
            assertThat(store.hasRoom()).as("%d MiB", i / 2).isTrue();
            assertThat(file.isFailed()).isFalse();
            assertThat(disk.usableBytes()).isGreaterThanOrEqualTo(2L * MEBI);
        }

        assertThat(disk.storedNames()).containsExactly(name(20), store(21) + ".part");
        assertThat(counters.deletedFiles()).isEqualTo(19);
        assertThat(counters.deletedBytes()).isEqualTo(19L * MEBI);
        assertThat(told).hasSize(19).first().isEqualTo("deleted " + name(1) + ", 1048576 bytes: keep_free_mib");
    }

    @Test
    void logsThatWereNotUploadedStayAndRecordingPauses(@TempDir Path directory) throws IOException {
        Path list = directory.resolve("uploaded");
        disk.capacity(24L * MEBI);
        addLogs(1, 20, MEBI);
        keeper = keeper(new SpaceLimits(
                1024L * MEBI,
                0,
                0,
                32 * MEBI,
                new SpaceLimits.Uploads(SpaceLimits.Retention.ONLY_UPLOADED, Optional.of(list))));
        store = store();
        LogFile file = store.create(1);
        for (int i = 0; i < 12 && store.hasRoom(); i++) {
            append(file, MEBI / 2);
            workForMs(250);
        }

        assertThat(store.hasRoom()).isFalse();
        assertThat(counters.deletedFiles()).isZero();
        assertThat(told).anyMatch(text -> text.contains("20 files wait for their upload"));

        // The third is another file by now, and the last line is incomplete. The newest deletable log stays while there
        // is room.
        Files.writeString(
                list,
                name(1) + ' ' + MEBI + '\n' + name(2) + ' ' + MEBI + '\n' + name(3) + " 4711\nnonsense\n" + name(5)
                        + ' ' + MEBI + '\n' + name(4) + ' ' + MEBI);
        workForMs(5000);

        assertThat(disk.storedNames()).doesNotContain(name(1), name(2)).contains(name(3), name(4), name(5));
        Files.delete(list);
        workForMs(12_000);
        assertThat(counters.deletedFiles()).isEqualTo(2);
    }

    /** The received blocks and the ULog: two files, each with its own number. */
    @Test
    void anArduPilotsFilesGoOldestFirstAndKeptOnesNever() throws IOException {
        List<String> files = new ArrayList<>();
        for (int i = 1; i <= 12; i++) {
            String name = name(i).replace(".ulg", i % 2 == 1 ? ".bin" : ".ulg");
            files.add(name);
            disk.put(name, new byte[100]);
        }
        disk.put(files.get(2) + ".keep", new byte[0]); // blocks only
        disk.put(files.get(5) + ".keep", new byte[0]); // ULog only
        disk.put("sys001_log00001_100.bin", new byte[100]);
        limit(0, 0, 5, MEBI);
        workForMs(100);
        LogFile growing = store.create(1, LogKind.BIN);

        workForMs(2000);

        List<String> left = new ArrayList<>(List.of(files.get(2), files.get(5)));
        left.addAll(files.subList(8, 12));
        left.addAll(List.of(files.get(2) + ".keep", files.get(5) + ".keep", "sys001_log00001_100.bin"));
        left.add(growing.unfinishedName());
        assertThat(disk.storedNames()).containsExactlyInAnyOrderElementsOf(left);
        assertThat(growing.unfinishedName()).endsWith("_000013.bin.part");
        assertThat(told).first().asString().startsWith("deleted " + files.get(0));
        assertThat(told.stream()
                        .map(text -> text.substring(0, text.indexOf(',')))
                        .toList())
                .isSorted();
    }

    @Test
    void markOfOneFileProtectsAllFilesOfItsFlight() throws IOException {
        for (int i = 1; i <= 5; i += 2) {
            disk.put(name(i).replace(".ulg", ".bin"), new byte[100]);
            disk.put(name(i).replace(".ulg", String.format("_%06d.ulg", i + 1)), new byte[100]);
        }
        String kept = name(1).replace(".ulg", "_000002.ulg");
        disk.put(kept + ".keep", new byte[0]);
        limit(0, 0, 1, MEBI);

        workForMs(3000);

        assertThat(disk.storedNames())
                .containsExactlyInAnyOrder(
                        name(1).replace(".ulg", ".bin"),
                        kept,
                        kept + ".keep",
                        name(5).replace(".ulg", ".bin"),
                        name(5).replace(".ulg", "_000006.ulg"));
    }

    /** After a slow force there may be little left, and the directory takes more than one round to read. */
    @Test
    void doesNotPauseWhileItLooksForLogsToDelete() throws IOException {
        disk.capacity(24L * MEBI);
        addLogs(1, 20, MEBI);
        limit(1024 * MEBI, 0, 0, 32 * MEBI);
        workForMs(1000);
        LogFile file = store.create(1);
        for (int i = 0; i < 11; i++) {
            append(file, MEBI / 4);
        }
        assertThat(disk.usableBytes()).isBetween(MEBI * 3L / 4, MEBI * 3L / 2);

        workForMs(2000);

        assertThat(counters.deletedFiles()).isPositive();
        assertThat(keeper.spaceStatus().pauses()).isZero();
    }

    @Test
    void pausesWithTheReserveLeftAndGoesOnWhenThereIsRoom() throws IOException {
        disk.capacity(16L * MEBI);
        disk.put("film.mkv", new byte[8 * MEBI]);
        limit(1024 * MEBI, 0, 0, 32 * MEBI);
        workForMs(100);
        LogFile file = store.create(1);
        while (store.hasRoom()) {
            append(file, 256 * KIBI);
            workForMs(250);
        }

        assertThat(disk.usableBytes()).isBetween((long) MEBI - 256 * KIBI, (long) MEBI - 1);
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.PAUSED);
        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.NO_SPACE);
        assertThatThrownBy(() -> store.create(1)).hasMessage("paused: no space left in fake disk");
        store.finish(file);
        workForMs(60_000);
        assertThat(keeper.spaceStatus().pauses()).isEqualTo(1);
        assertThat(told)
                .filteredOn(text -> text.contains("recording pauses"))
                .containsExactly(
                        "recording pauses: less than 1024 KiB left in fake disk; it continues when 1280 KiB are"
                                + " free");
        assertThat(disk.storedNames()).containsExactly("film.mkv", store(1));

        disk.delete("film.mkv");
        workForMs(500);

        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.NONE);
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.OK);
        assertThat(keeper.spaceStatus().problem()).isEmpty();
    }

    /** The blocks of a forged ArduPilot go into a single file, however long it gets. */
    @Test
    void aVehicleThatWasNeverRecordedBeforeGrowsAtTheCostOfItsOwnLogsOnly() throws IOException {
        disk.capacity(24L * MEBI);
        addLogs(1, 18, MEBI);
        limit(1024 * MEBI, 0, 0, 32 * MEBI);
        workForMs(2000);
        LogFile file = store.create(77, LogKind.BIN);
        int files = 1;
        for (int i = 0; i < 120; i++) {
            append(file, MEBI / 4);
            workForMs(500);
            if (!store.hasRoom(77)) {
                store.finish(file);
                for (int wait = 0; wait < 20 && !store.hasRoom(77); wait++) {
                    workForMs(250);
                }
                file = store.create(77, LogKind.BIN);
                files++;
            }
            assertThat(store.hasRoom(1)).isTrue();
        }

        assertThat(files).isGreaterThan(2);
        assertThat(disk.storedNames().stream().filter(name -> name.contains("sys001")))
                .hasSizeGreaterThanOrEqualTo(14);
    }

    @Test
    void doesNotFlapBetweenTheLevels() {
        limit(0, 0, 0, MEBI);
        disk.usableBytes(MEBI - 1);
        workForMs(500);
        assertThat(store.hasRoom()).isFalse();

        disk.usableBytes(MEBI + 256 * KIBI - 1);
        workForMs(5000);
        assertThat(store.hasRoom()).isFalse();
        disk.usableBytes(MEBI + 256 * KIBI);
        workForMs(500);
        assertThat(store.hasRoom()).isTrue();
        disk.usableBytes(MEBI);
        workForMs(5000);
        assertThat(store.hasRoom()).isTrue();
    }

    @Test
    void aFullDiskIsBelievedBeforeItIsMeasured() throws IOException {
        limit(0, 0, 0, MEBI);
        workForMs(500);
        disk.fail(Operation.WRITE, count -> true, "No space left on device");
        LogFile file = store.create(1);
        append(file, 10_000);
        assertThat(file.isFailed()).isTrue();

        store.finish(file);

        assertThat(store.hasRoom()).isFalse();
        workForMs(1000);
        assertThat(store.hasRoom()).as("measured again, and there is room").isTrue();
    }

    @Test
    void theOnlyLogStaysWhileNothingIsRecorded() {
        addLogs(1, 1, MEBI);
        disk.usableBytes(0);
        limit(1024 * MEBI, 0, 0, 32 * MEBI);
        workForMs(10_000);
        assertThat(disk.storedNames()).hasSize(1);

        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.NO_SPACE); // a recording needs space
        workForMs(2_000);

        assertThat(disk.storedNames()).isEmpty();
    }

    @Test
    void deletesNothingButFinishedLogsOfOurs() {
        disk.put("0000-00-00_00-00-00_sys001_000001.ulg.part", new byte[100]);
        disk.put("holiday.ulg", new byte[100]);
        disk.put("2026-01-01_00-00-00_sys001_000002.csv", new byte[100]);
        disk.put(name(3), new byte[100]);
        // Renamed since it was marked: vehicle and counter identify the log.
        disk.put("0000-00-00_00-00-00_sys001_000003.ulg.keep", new byte[0]);
        disk.put(name(4), logWithAppendedData());
        addLogs(5, 8, 100);
        disk.usableBytes(0);
        limit(1024 * MEBI, 1, 1, 32 * MEBI);
        store.obstacle(1);

        workForMs(10_000);

        assertThat(disk.storedNames())
                .containsExactly(
                        "0000-00-00_00-00-00_sys001_000001.ulg.part",
                        "holiday.ulg",
                        "2026-01-01_00-00-00_sys001_000002.csv",
                        name(3),
                        "0000-00-00_00-00-00_sys001_000003.ulg.keep",
                        name(4));
        assertThat(counters.deletedFiles()).isEqualTo(4);
    }

    @Test
    void whatIsAppendedLaterProtectsAsWell() throws IOException {
        addLogs(1, 2, 100);
        limit(0, 0, 2, MEBI);
        workForMs(1000);
        disk.delete(name(1));
        disk.put(name(1), logWithAppendedData());
        addLogs(3, 4, 100);

        workForMs(20_000);

        assertThat(disk.storedNames()).containsExactlyInAnyOrder(name(1), name(3), name(4));
    }

    @Test
    void aFailingDeleteIsToldOnceAndTriedAgainNowAndThen() {
        addLogs(1, 5, 100);
        disk.fail(Operation.DELETE, count -> count < 10);
        limit(0, 0, 2, MEBI);

        workForMs(30_000);

        assertThat(disk.count(Operation.DELETE)).isBetween(1, 10);
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.FAILING);
        assertThat(keeper.spaceStatus().problem()).contains("cannot be deleted: fake DELETE failure");
        assertThat(told).hasSize(1);
        workForMs(10 * 60_000);
        assertThat(disk.storedNames()).containsExactly(name(4), name(5));
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.OK);
    }

    @Test
    void spaceThatIsFreedLateIsWaitedFor() {
        addLogs(1, 10, MEBI);
        disk.usableBytes(1023L * MEBI);
        limit(1024 * MEBI, 0, 0, MEBI);

        workForMs(20_000);
        assertThat(disk.storedNames()).as("the one that is enough").hasSize(9);

        disk.usableBytes(1024L * MEBI);
        workForMs(60_000);
        assertThat(disk.storedNames()).hasSize(9);
    }

    @Test
    void manyLogsAreLookedIntoAndDeletedInRounds() {
        addLogs(1, 300, 100);
        limit(0, 0, 10, MEBI);

        int most = 0;
        for (int i = 0; i < 1000; i++) {
            int looks = disk.count(Operation.OPEN);
            int deletes = disk.count(Operation.DELETE);
            keeper.doWork();
            most = Math.max(most, disk.count(Operation.OPEN) - looks);
            assertThat(disk.count(Operation.DELETE) - deletes).isLessThanOrEqualTo(32);
        }

        assertThat(most).isLessThanOrEqualTo(32);
        assertThat(disk.storedNames()).hasSize(10).contains(name(300));
    }

    @Test
    void aVehicleHasThirtyNewFilesInAMinute() throws IOException {
        for (int i = 0; i < 30; i++) {
            store.finish(store.create(1));
            workForMs(1000);
        }

        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.TOO_MANY_FILES);
        assertThatThrownBy(() -> store.create(1)).hasMessage("more than 30 new files within a minute; waiting");
        store.create(2);
        workForMs(30_000);
        store.create(1);
        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.TOO_MANY_FILES);
        workForMs(1000);
        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.NONE);
    }

    @Test
    void namesOfMarksAndAbsurdNumbersAreMinded() throws IOException {
        disk.put("0000-00-00_00-00-00_sys001_000041.ulg.keep", new byte[0]);
        disk.put("0000-00-00_00-00-00_sys001_999999999999999999.ulg", new byte[0]);

        assertThat(store.create(1).name()).isEqualTo(store(42));
    }

    /** Each deletion was once preceded by a listing of the whole directory. */
    @Test
    void manyMoreFilesThanAreKeptInMemoryAreDeletedWithFewListings() {
        int all = 3 * RetentionListing.MAX_FILES;
        addLogs(1, all, 10);
        disk.put(name(7) + ".keep", new byte[0]);
        limit(0, 0, 1000, MEBI);

        for (int i = 0; i < 2 * all / 32 && counters.deletedFiles() < all - 1001; i++) {
            nowNs += MILLISECOND_NS;
            keeper.doWork();
        }

        assertThat(disk.storedNames()).hasSize(1002).contains(name(7), name(all), name(all - 999));
    }

    @Test
    void logsThatMayNotBeDeletedDoNotHideThoseBehindThem() {
        int kept = RetentionListing.MAX_FILES + 10;
        for (int i = 1; i <= kept; i++) {
            disk.put(name(i), logWithAppendedData());
        }
        addLogs(kept + 1, kept + 20, 10);
        limit(0, 0, 10, MEBI);

        for (int i = 0; i < 1000; i++) {
            nowNs += MILLISECOND_NS;
            keeper.doWork();
        }

        assertThat(disk.storedNames()).hasSize(kept + 10).contains(name(1), name(kept), name(kept + 20));
    }

    @Test
    void logThatIsMarkedOrAppendedToAfterTheDirectoryWasReadStays() {
        addLogs(1, RetentionListing.MAX_FILES + 50, 10);
        limit(0, 0, 10, MEBI);
        while (counters.deletedFiles() == 0) {
            keeper.doWork();
        }
        int next = (int) counters.deletedFiles() + 1;
        disk.put(name(next) + ".keep", new byte[0]);
        disk.put(name(next + 5), logWithAppendedData());

        for (int i = 0; i < 1000; i++) {
            nowNs += MILLISECOND_NS;
            keeper.doWork();
        }

        assertThat(disk.storedNames())
                .contains(name(next), name(next + 5))
                .doesNotContain(name(next + 1), name(next + 6));
    }

    /** Without a limit in the configuration nothing was deleted, and 300,000 files stopped the recorder. */
    @Test
    void filesOfVehiclesThatWereNeverRecordedBeforeAreLimitedInNumber() throws IOException {
        addLogs(1, 100, 10);
        SpaceKeeper space = new SpaceKeeper(disk, SpaceLimits.NONE, counters, () -> nowNs);
        for (int i = 101; i <= 101 + NewSystemsShare.MAX_FILES * 5 / 4; i++) {
            String name = name(i).replace("sys001", "sys077");
            disk.put(name, new byte[10]);
            space.onFinished(name, 100);
            if (i % 64 == 0) {
                space.work(nowNs += 11_000_000_000L, List.of());
            }
            while (space.work(nowNs += MILLISECOND_NS, List.of())) {
                // until nothing is due
            }
        }

        assertThat(disk.storedNames())
                .hasSizeLessThanOrEqualTo(100 + NewSystemsShare.MAX_FILES + 512)
                .hasSizeGreaterThanOrEqualTo(100 + NewSystemsShare.MAX_FILES)
                .contains(name(1), name(100));
    }

    /** Its log of the previous run has a low counter, and gives no information about vehicles with later logs. */
    @Test
    void finishingAnOldLogMakesNoVehicleOfEarlierRunsANewOne() {
        int all = NewSystemsShare.MAX_FILES + 300;
        addLogs(2, all, 1);
        SpaceKeeper space = new SpaceKeeper(disk, SpaceLimits.NONE, counters, () -> nowNs);
        for (int i = 0; i < 300; i++) {
            space.onFinished(name(1), all);
        }

        for (int i = 0; i < 1000; i++) {
            space.work(nowNs += MILLISECOND_NS, List.of());
        }

        assertThat(counters.deletedFiles()).isZero();
    }

    @Test
    void onlyTheStartOfAnEndlessListOfUploadsIsKept(@TempDir Path directory) throws IOException {
        Path list = directory.resolve("uploaded");
        StringBuilder lines = new StringBuilder("x".repeat(1 << 20)).append('\n');
        for (int i = 1; i <= UploadedLogs.MAX_FILES + 10; i++) {
            lines.append(name(i)).append(" 10\n");
        }
        Files.writeString(list, lines);
        UploadedLogs uploaded = new UploadedLogs(Optional.of(list));

        uploaded.look();

        assertThat(uploaded.contains(new Disk.Entry(name(UploadedLogs.MAX_FILES), 10)))
                .isTrue();
        assertThat(uploaded.contains(new Disk.Entry(name(UploadedLogs.MAX_FILES + 1), 10)))
                .isFalse();
        assertThat(uploaded.contains(new Disk.Entry(name(1), 11))).isFalse();
    }

    private void addLogs(int from, int to, int bytes) {
        for (int i = from; i <= to; i++) {
            disk.put(name(i), new byte[bytes]);
        }
    }

    private static String name(int counter) {
        return String.format("2026-11-21_14-03-59_sys001_%06d.ulg", counter);
    }

    /** The name that the store gives while the clock is not set. */
    private static String store(int counter) {
        return String.format("0000-00-00_00-00-00_sys001_%06d.ulg", counter);
    }

    private static byte[] logWithAppendedData() {
        byte[] log = new byte[120];
        byte[] head = {'U', 'L', 'o', 'g', 0x01, 0x12, 0x35, 1, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 'B'};
        System.arraycopy(head, 0, log, 0, head.length);
        log[27] = 1;
        return log;
    }

    private void append(LogFile file, int bytes) {
        file.append(new UnsafeBuffer(new byte[bytes]), 0, bytes, nowNs);
        file.write();
    }

    @Test
    void directoryThatCannotBeWrittenIsAProblemBeforeAVehicleComes() throws IOException {
        disk.fail(Operation.PROBE, n -> n < 2, "Read-only file system");

        keeper.doWork();

        assertThat(keeper.spaceStatus().state()).isEqualTo(State.FAILING);
        assertThat(keeper.spaceStatus().problem())
                .startsWith("no log can be written in ")
                .contains("Read-only file system", "set [log] directory");
        workForMs(10_000);
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.FAILING);
        workForMs(10_000);
        assertThat(keeper.spaceStatus().state()).isEqualTo(State.OK);
        assertThat(keeper.spaceStatus().problem()).isEmpty();
        assertThat(disk.count(Operation.PROBE)).isEqualTo(3);
        assertThat(disk.storedNames()).isEmpty();
    }

    @Test
    void nothingIsProbedWhileALogIsWritten() throws IOException {
        disk.fail(Operation.PROBE, n -> n == 0, "Input/output error");
        keeper.doWork();
        assertThat(keeper.spaceStatus().problem()).isNotEmpty();

        LogFile file = store.create(1);
        keeper.doWork();
        assertThat(keeper.spaceStatus().problem()).isEmpty();
        workForMs(60_000);
        assertThat(disk.count(Operation.PROBE)).isEqualTo(1);

        store.finish(file);
        workForMs(100);
        assertThat(disk.count(Operation.PROBE)).isEqualTo(2);
    }

    private void workForMs(long ms) {
        for (long i = 0; i < ms; i += 50) {
            nowNs += 50 * MILLISECOND_NS;
            keeper.doWork();
        }
    }

    @Test
    void setAsideLogIsListedAndDeletedAsAnOldOne() {
        String unread = "2026-11-21_14-03-59_sys001_000042.ulg.unread";
        String newer = "2026-11-21_14-03-59_sys002_000043.ulg";
        disk.put(unread, new byte[1000]);
        disk.put(newer, new byte[1000]);
        SpaceKeeper space = new SpaceKeeper(disk, new SpaceLimits(0, 0, 1, 1), counters, () -> nowNs);

        for (int i = 0; i < 10; i++) {
            space.work(nowNs += 1_000_000_000L, List.of());
        }

        assertThat(disk.storedNames()).containsExactly(newer);
        assertThat(counters.deletedFiles()).isEqualTo(1);
    }
}
