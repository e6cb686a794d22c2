package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.store.StreamMark;

/** An ArduPilot's unfinished files after a restart: the received blocks, and the ULog made of them. */
class UnfinishedBlocksTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int BLOCK = 200;
    private static final int BLOCKS = 25;
    private static final String STEM = "2026-11-21_14-03-59_sys001_000041";
    private static final String PART = STEM + ".bin.part";
    private static final String DONE = STEM + ".bin";
    private static final String ULOG = "2026-11-21_14-03-59_sys001_000042.ulg";
    private static final StoreSettings SETTINGS =
            new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);

    private final FakeDisk disk = new FakeDisk();
    private final MemoryBudget memory = new MemoryBudget(32 << 20);
    private final List<String> finished = new ArrayList<>();
    private final ResumableLogs board = new ResumableLogs();
    private long nowNs = 1000 * SECOND_NS;
    private final HostClock clock = new HostClock(() -> nowNs, () -> EPOCH_MS, "boot", 77);
    private final Keeper keeper = new Keeper(
            disk,
            clock.monotonic(),
            (name, bytes) -> finished.add(name + " " + bytes),
            SpaceLimits.NONE,
            StoreCounters.register(new Metrics()),
            LogRecovery.of(
                    disk,
                    new Restart(clock, board, memory, (process, since) -> new CrashReport("it broke", List.of())),
                    RecoveryCounters.register(new Metrics())));

    private void work() {
        for (int i = 0; i < 20; i++) {
            keeper.doWork();
        }
    }

    /** Blocks without a zero, each with its number. */
    private static byte[] blocks(int count) {
        byte[] bytes = new byte[count * BLOCK];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (1 + i / BLOCK);
        }
        return bytes;
    }

    private static byte[] ulog() {
        byte[] log = new byte[16];
        System.arraycopy(new byte[] {'U', 'L', 'o', 'g', 0x01, 0x12, 0x35, 1}, 0, log, 0, 8);
        return log;
    }

    /** A note of this age. Its block number has only 16 bits and is not used. */
    private void note(long ageS) {
        long notedNs = nowNs - ageS * SECOND_NS;
        StreamMark mark = new StreamMark(new StreamMark.Stream("uart", 1, 155, 9999, notedNs, 0, 0, 0), 300);
        StreamNote note = new StreamNote(9, 4711, "boot", notedNs, EPOCH_MS - ageS * 1000, mark);
        byte[] file = new byte[StreamNote.FILE_BYTES];
        note.encode().get(file, 0, StreamNote.SLOT_BYTES);
        disk.put(StreamNotes.name(STEM), file);
    }

    @Test
    void bothFilesOfALogAreFinishedUnderTheirNames() {
        byte[] blocks = blocks(BLOCKS);
        disk.put(PART, Arrays.copyOf(blocks, blocks.length - 77));
        disk.put(DONE + ".keep", new byte[0]);
        disk.put(ULOG + ".part", ulog());

        work();

        assertThat(disk.storedNames()).containsExactlyInAnyOrder(DONE, DONE + ".keep", ULOG);
        assertThat(disk.bytes(DONE)).as("cut, and nothing appended").isEqualTo(blocks(BLOCKS - 1));
        assertThat(finished).contains(DONE + " " + (BLOCKS - 1) * BLOCK).hasSize(2);
        assertThat(board.ticket(1)).isSameAs(ResumeTicket.NONE);
    }

    @Test
    void aLogWhoseStreamMayLiveWaitsAndItsULogDoesNot() {
        disk.put(PART, blocks(BLOCKS));
        disk.put(ULOG + ".part", ulog());
        note(2);

        work();

        assertThat(disk.storedNames()).containsExactlyInAnyOrder(PART, StreamNotes.name(STEM), ULOG);
        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
    }

    /** The vehicle may still have missing blocks near the end of the file, but none far before it. */
    @Test
    void tellsWhichBlocksTheFileLacks() {
        byte[] file = blocks(1000);
        FillerBlock filler = new FillerBlock();
        for (int number : new int[] {3, 600, 998}) {
            filler.of(number).getBytes(0, file, number * BLOCK, BLOCK);
        }
        filler.of(7).getBytes(0, file, 700 * BLOCK, BLOCK); // the text of a filler, logged by a vehicle
        disk.put(PART, file);
        note(2);

        work();

        assertThat(board.ticket(1).facts().missing()).containsExactly(600L, 998L);
    }

    @Test
    void aLogWhoseStreamCannotLiveIsFinished() {
        disk.put(PART, blocks(BLOCKS));
        note(601);

        work();

        assertThat(disk.storedNames()).containsExactly(DONE);
        assertThat(disk.bytes(DONE)).isEqualTo(blocks(BLOCKS));
    }

    @Test
    void aBlockThatWasCutAnywhereIsLeftOutAndTheLogCanGoOn() throws IOException {
        byte[] blocks = blocks(BLOCKS);
        for (int cut = 0; cut < BLOCK; cut++) {
            requireContinuesAfter(Arrays.copyOf(blocks, blocks.length - cut), cut == 0 ? BLOCKS : BLOCKS - 1);
        }
    }

    // After a cut within the file system's block of 4096 bytes, after one of several blocks, and behind a torn block.
    @ParameterizedTest(name = "{1} zeros behind {0} bytes")
    @CsvSource({
        "4000, 96, 20", "4000, 200, 20", "4000, 4192, 20", "4000, 65536, 20", "4000, 200000, 20",
        "4096, 4096, 21", "4096, 104, 21", "3900, 196, 20", "3900, 4292, 20", "200, 4096, 1"
    })
    void zerosAtTheEndAreCutAndTheLogCanGoOn(int bytes, int zeros, int left) throws IOException {
        requireContinuesAfter(Arrays.copyOf(Arrays.copyOf(blocks(BLOCKS), bytes), bytes + zeros), left);
    }

    /** Reading 8 GB of them once blocked the keeper for 31 s, in which nothing was forced. */
    @Test
    void manyZerosAtTheEndAreReadInManyRounds() {
        int zeros = 8 << 20;
        disk.put(PART, Arrays.copyOf(blocks(BLOCKS), BLOCKS * BLOCK + zeros));

        int most = 0;
        int rounds = 0;
        while (finished.isEmpty() && rounds++ < 1000) {
            int reads = disk.count(FakeDisk.Operation.READ);
            keeper.doWork();
            most = Math.max(most, disk.count(FakeDisk.Operation.READ) - reads);
        }

        assertThat(finished).contains(DONE + " " + BLOCKS * BLOCK);
        assertThat(disk.bytes(DONE)).isEqualTo(blocks(BLOCKS));
        assertThat(most).isLessThanOrEqualTo(8);
    }

    @Test
    void zerosAmidTheLogStay() throws IOException {
        byte[] blocks = blocks(BLOCKS);
        Arrays.fill(blocks, 2 * BLOCK, 9 * BLOCK, (byte) 0);
        Arrays.fill(blocks, blocks.length - 150, blocks.length, (byte) 0);

        requireContinuesAfter(blocks, BLOCKS);
    }

    private void requireContinuesAfter(byte[] left, int blocks) throws IOException {
        FakeDisk other = new FakeDisk();
        other.put(PART, left);
        ResumableLogs itsBoard = new ResumableLogs();
        note(2);
        other.put(StreamNotes.name(STEM), disk.bytes(StreamNotes.name(STEM)));
        Keeper itsKeeper = new Keeper(
                other,
                clock.monotonic(),
                (name, bytes) -> {},
                SpaceLimits.NONE,
                StoreCounters.register(new Metrics()),
                LogRecovery.of(
                        other,
                        new Restart(clock, itsBoard, memory, CrashReport.Source.NONE),
                        RecoveryCounters.register(new Metrics())));
        LogStore store = new LogStore(other, clock.wall(), SETTINGS, itsKeeper);
        for (int i = 0; i < 10; i++) {
            itsKeeper.doWork();
        }
        ResumeTicket ticket = itsBoard.ticket(1);
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.OPEN);
        assertThat(ticket.facts().sequence()).as("last block").isEqualTo(blocks - 1);
        assertThat(ticket.take()).isTrue();

        LogFile file = store.resume(itsBoard.take(1).start());
        byte[] next = new byte[BLOCK];
        Arrays.fill(next, (byte) 99);
        file.append(new UnsafeBuffer(next), 0, BLOCK, nowNs);
        store.finish(file);
        itsKeeper.doWork();

        byte[] expected = Arrays.copyOf(Arrays.copyOf(left, blocks * BLOCK), (blocks + 1) * BLOCK);
        System.arraycopy(next, 0, expected, blocks * BLOCK, BLOCK);
        assertThat(other.storedNames()).containsExactly(DONE);
        assertThat(other.bytes(DONE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 150, 5000})
    void aFileWithoutABlockIsRemoved(int zeros) {
        disk.put(PART, new byte[zeros]);
        note(2);

        work();

        assertThat(disk.storedNames()).isEmpty();
        assertThat(board.ticket(1)).isSameAs(ResumeTicket.NONE);
    }

    /** A killed program leaves what it wrote: if batches are complete blocks, only complete blocks. */
    @Test
    void blocksAreNotDividedBetweenTwoWrites() throws IOException {
        work();
        LogStore store = new LogStore(disk, clock.wall(), SETTINGS, keeper);
        LogFile file = store.create(1, LogKind.BIN);
        byte[] blocks = blocks(100);
        for (int block = 0; block < 100; block++) {
            file.append(new UnsafeBuffer(blocks), block * BLOCK, BLOCK, nowNs);

            assertThat(disk.bytes(file.unfinishedName()).length % BLOCK).isZero();
        }
        assertThat(disk.bytes(file.unfinishedName()))
                .hasSizeGreaterThan(75 * BLOCK)
                .isEqualTo(Arrays.copyOf(blocks, disk.bytes(file.unfinishedName()).length));
    }
}
