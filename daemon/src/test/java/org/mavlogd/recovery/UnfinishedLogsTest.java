package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.store.StreamMark;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ScanHandler;
import org.mavlogd.ulog.ULogAppender;
import org.mavlogd.ulog.ULogScanner;

/** Unfinished files of an earlier run. */
class UnfinishedLogsTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final String STEM = "2026-11-21_14-03-59_sys001_000042";
    private static final String PART = STEM + ".ulg.part";
    private static final String DONE = STEM + ".ulg";
    private static final int TOPIC = 3;
    private static final long LAST_US = 10_090_000;
    private static final StoreSettings SETTINGS =
            new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);

    private FakeDisk disk = new FakeDisk();
    private MemoryBudget memory = new MemoryBudget(32 << 20);
    private final List<String> finished = new ArrayList<>();
    private final List<Integer> ends = new ArrayList<>();
    private CrashReport report = CrashReport.NONE;
    private long askedProcess = -2;
    private long nowNs = 1000 * SECOND_NS;
    private long epochMs = EPOCH_MS;
    private String bootId = "boot";
    private ResumableLogs board = new ResumableLogs();
    private Keeper keeper = keeper();

    private Keeper keeper() {
        return keeper(() -> nowNs);
    }

    private Keeper keeper(NanoClock monotonic) {
        board = new ResumableLogs();
        memory = new MemoryBudget(32 << 20);
        HostClock clock = new HostClock(monotonic, () -> epochMs, bootId, 77);
        CrashReport.Source source = (process, since) -> {
            askedProcess = process;
            return report;
        };
        return new Keeper(
                disk,
                clock.monotonic(),
                (name, bytes) -> finished.add(name + " " + bytes),
                SpaceLimits.NONE,
                StoreCounters.register(new Metrics()),
                LogRecovery.of(
                        disk, new Restart(clock, board, memory, source), RecoveryCounters.register(new Metrics())));
    }

    private void work() {
        for (int i = 0; i < 20; i++) {
            keeper.doWork();
        }
    }

    /** Header, definitions, and ten samples; remembers the end of each message. */
    private byte[] log() {
        ByteBuffer out = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        ends.clear();
        MessageEncoder.header(out, 5);
        ends.add(out.position());
        MessageEncoder.flagBits(out, 0);
        ends.add(out.position());
        MessageEncoder.infoText(out, "sys_name", "PX4");
        ends.add(out.position());
        format(out, "x:uint64_t timestamp;uint8_t[22] v;");
        MessageEncoder.subscription(out, 0, TOPIC, "x");
        ends.add(out.position());
        for (int i = 0; i < 10; i++) {
            sample(out, 10_000_000 + i * 10_000L);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    private void format(ByteBuffer out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.putShort((short) bytes.length).put(MessageType.FORMAT).put(bytes);
        ends.add(out.position());
    }

    private void sample(ByteBuffer out, long timeUs) {
        byte[] fields = ByteBuffer.allocate(30)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(timeUs)
                .put("not zero, 22 bytes in all".getBytes(StandardCharsets.US_ASCII), 0, 22)
                .array();
        MessageEncoder.data(out, TOPIC, fields, 0, fields.length);
        ends.add(out.position());
    }

    private static StreamMark mark(long fileBytes, long chunkNs) {
        return new StreamMark(new StreamMark.Stream("uart", 1, 1, 700, chunkNs, 10_050_000, 150, 1e6), fileBytes);
    }

    private void note(String stem, StreamNote note) {
        byte[] file = new byte[StreamNote.FILE_BYTES];
        note.encode().get(file, 0, StreamNote.SLOT_BYTES);
        disk.put(StreamNotes.name(stem), file);
    }

    /** A note of this age, made one second after its last chunk. */
    private StreamNote noteOf(long ageS) {
        long notedNs = nowNs - ageS * SECOND_NS;
        return new StreamNote(9, 4711, "boot", notedNs, epochMs - ageS * 1000, mark(300, notedNs - SECOND_NS));
    }

    /** A note made at this time, too old to continue. */
    private StreamNote noteAt(long notedMs) {
        long notedNs = nowNs - 601 * SECOND_NS;
        return new StreamNote(9, 4711, "boot", notedNs, notedMs, mark(300, notedNs - SECOND_NS));
    }

    private static void assertClean(byte[] log) throws IOException {
        ULogScanner scanner = new ULogScanner(new ScanHandler() {
            @Override
            public void onMessage(int type, byte[] buffer, int offset, int length) {}

            @Override
            public void onDamage(long position, long length) {
                throw new AssertionError("damage at " + position);
            }

            @Override
            public void onCut(long position, long length) {
                throw new AssertionError("cut at " + position);
            }

            @Override
            public void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
                throw new AssertionError(flaw.toString());
            }
        });
        scanner.feed(log, 0, log.length);
        scanner.finish();
    }

    @Test
    void logCutAnywhereKeepsAllBeforeTheCut() throws Exception {
        byte[] whole = log();
        report = new CrashReport("it broke", List.of(new CrashReport.Line(LogLevel.INFO, EPOCH_MS, "bye")));
        List<Integer> boundaries = List.copyOf(ends);

        for (int length = 1; length <= whole.length; length++) {
            disk.storedNames().forEach(name -> delete(name));
            disk.put(PART, Arrays.copyOf(whole, length));
            keeper = keeper();
            work();

            int cut = length;
            int kept = boundaries.stream()
                    .mapToInt(end -> end <= cut ? end : 0)
                    .max()
                    .orElse(0);
            byte[] result = disk.bytes(DONE);
            assertThat(disk.storedNames()).as("cut at %d", length).containsExactly(DONE);
            if (kept >= boundaries.get(1)) {
                byte[] comparable = result.clone();
                Arrays.fill(comparable, 27, 59, whole[27]);
                assertThat(comparable).as("cut at %d", length).startsWith(Arrays.copyOf(whole, kept));
                assertThat(result.length)
                        .as("cut at %d, with crash data", length)
                        .isGreaterThan(kept + 20);
                assertThat(new String(result, StandardCharsets.ISO_8859_1)).contains("hardfault_plain", "it broke");
                assertClean(result);
            } else {
                assertThat(Arrays.copyOf(whole, result.length))
                        .as("cut at %d", length)
                        .isEqualTo(result);
            }
        }
    }

    private void delete(String name) {
        try {
            disk.delete(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void memoryOfAWaitingLogComesOutOfTheBudgetUntilItIsFinished() throws Exception {
        disk.put(PART, log());
        note(STEM, noteOf(1));

        work();
        long used = memory.part(Requester.UNFINISHED_LOG).used();
        nowNs += 61 * SECOND_NS;
        work();

        assertThat(used).isPositive();
        assertThat(disk.storedNames()).contains(DONE);
        assertThat(memory.used()).isZero();
    }

    /** A finished name is believed: nothing after it would find that the end is missing. */
    @Test
    void finishedFileIsOnDiskAlsoIfNothingWasCutOrAppended() throws Exception {
        disk.put(PART, log());

        work();

        assertThat(disk.forcedLength(DONE)).isEqualTo(disk.bytes(DONE).length);
    }

    @Test
    void takenLogThatGetsNothingMoreIsOnDiskWhenItIsFinished() throws Exception {
        disk.put(PART, log());
        note(STEM, noteOf(2));
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        work();
        assertThat(board.ticket(1).take()).isTrue();
        work();
        LogFile file = store.resume(board.take(1).start());
        work();

        store.finish(file);
        work();

        assertThat(disk.forcedLength(DONE)).isEqualTo(disk.bytes(DONE).length);
    }

    @Test
    void emptyFileIsRemoved() {
        disk.put(PART, new byte[0]);

        work();

        assertThat(disk.storedNames()).isEmpty();
        assertThat(finished).isEmpty();
    }

    @Test
    void whatIsNoLogIsKeptAsItIs() {
        byte[] bytes = "no log at all, whatever it is called".getBytes(StandardCharsets.US_ASCII);
        report = new CrashReport("it broke", List.of());
        disk.put(PART, bytes);

        work();

        assertThat(disk.storedNames()).containsExactly(DONE);
        assertThat(disk.bytes(DONE)).isEqualTo(bytes);
    }

    @Test
    void filesOfOthersAreNotTouched() {
        for (String name : List.of("notes.txt", "flight.ulg.part", "." + STEM + ".state.bak", "x.state", DONE)) {
            disk.put(name, new byte[] {1});
        }
        List<String> before = disk.storedNames();

        work();
        keeper.onClose();

        assertThat(disk.storedNames()).containsExactlyElementsOf(before);
    }

    @Test
    void noteWithoutItsFileIsRemoved() {
        note(STEM, noteOf(1));

        work();

        assertThat(disk.storedNames()).isEmpty();
    }

    @Test
    void damageInsideStaysAndWhatIsBehindItToo() throws Exception {
        byte[] whole = log();
        byte[] damaged = whole.clone();
        Arrays.fill(damaged, ends.get(7) + 1, ends.get(8) + 9, (byte) 0xEE);
        disk.put(PART, Arrays.copyOf(damaged, damaged.length - 5));

        work();

        assertThat(disk.bytes(DONE)).isEqualTo(Arrays.copyOf(damaged, ends.get(ends.size() - 2)));
    }

    @Test
    void zerosThatAFileSystemLeftAtTheEndAreCut() {
        byte[] whole = log();
        disk.put(PART, Arrays.copyOf(whole, whole.length + 4096));

        work();

        assertThat(disk.bytes(DONE)).isEqualTo(whole);
    }

    @Test
    void aTornMessageIsCutIfZerosFollow() throws Exception {
        byte[] whole = log();
        int last = ends.get(ends.size() - 2);
        for (int stored = last; stored <= whole.length; stored++) {
            for (int zeros : new int[] {750, 751, 752, 100_000}) {
                disk.put(PART, Arrays.copyOf(Arrays.copyOf(whole, stored), stored + zeros));

                work();

                byte[] left = disk.bytes(DONE);
                assertThat(left)
                        .as("%d bytes of the last message, %d zeros", stored - last, zeros)
                        .isEqualTo(Arrays.copyOf(whole, stored < whole.length ? last : stored));
                assertClean(left);
                disk = new FakeDisk();
                keeper = keeper();
            }
        }
    }

    /** It looks like a torn one. */
    @Test
    void aMessageThatEndsInZerosIsCutIfMoreFollow() {
        byte[] whole = log();
        whole[whole.length - 1] = 0;
        disk.put(PART, Arrays.copyOf(whole, whole.length + 750));

        work();

        assertThat(disk.bytes(DONE)).isEqualTo(Arrays.copyOf(whole, ends.get(ends.size() - 2)));
    }

    @Test
    void aMessageThatEndsInZerosStaysAtTheEnd() {
        byte[] whole = log();
        whole[whole.length - 1] = 0;
        disk.put(PART, whole);

        work();

        assertThat(disk.bytes(DONE)).isEqualTo(whole);
    }

    @Test
    void damageThatEndsInZerosStays() {
        byte[] whole = log();
        byte[] damaged = Arrays.copyOf(whole, whole.length + 4096);
        Arrays.fill(damaged, whole.length, whole.length + 400, (byte) 0xEE);
        Arrays.fill(damaged, whole.length, whole.length + 2, (byte) 1); // its size would be 257
        disk.put(PART, damaged);

        work();

        assertThat(disk.bytes(DONE)).isEqualTo(damaged);
    }

    @Test
    void crashDataIsNotAppendedTwice() throws Exception {
        report = new CrashReport("it broke", List.of());
        disk.put(DONE + ".part", log());
        disk.fail(FakeDisk.Operation.RENAME, count -> count == 0);
        work();
        assertThat(disk.storedNames()).containsExactly(PART);
        byte[] appended = disk.bytes(PART);

        keeper = keeper();
        work();

        assertThat(disk.bytes(DONE)).isEqualTo(appended);
        assertClean(appended);
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeDisk.Operation.class,
            names = {"WRITE", "FORCE", "CLOSE", "TRUNCATE"})
    void fileIsFinishedWhateverFailsWhileItIsMended(FakeDisk.Operation operation) {
        report = new CrashReport("it broke", List.of());
        byte[] whole = log();
        disk.put(PART, Arrays.copyOf(whole, whole.length - 1));
        disk.fail(operation, count -> true);

        work();

        assertThat(disk.storedNames()).containsExactly(DONE);
        assertThat(disk.bytes(DONE).length).isGreaterThanOrEqualTo(ends.get(ends.size() - 2));
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeDisk.Operation.class,
            names = {"LIST", "OPEN", "READ"})
    void fileThatCannotBeLookedAtIsLeftForTheNextStart(FakeDisk.Operation operation) {
        byte[] whole = log();
        disk.put(PART, whole);
        disk.fail(operation, count -> true);

        work();

        assertThat(disk.storedNames()).containsExactly(PART);
        assertThat(disk.bytes(PART)).isEqualTo(whole);
        assertThat(board.ticket(1)).isSameAs(ResumeTicket.NONE);
    }

    @Test
    void freshNoteMakesATicketWithAllThatIsKnown() {
        byte[] whole = log();
        disk.put(PART, Arrays.copyOf(whole, whole.length - 1));
        note(STEM, noteOf(2));
        assertThat(board.ticket(1)).isSameAs(ResumeTicket.PENDING);

        work();

        ResumeTicket ticket = board.ticket(1);
        assertThat(ticket.state()).isEqualTo(ResumeTicket.State.OPEN);
        assertThat(disk.storedNames()).contains(PART);
        assertThat(ticket.facts().sequence()).isEqualTo(700);
        assertThat(ticket.facts().sequenceNs()).isEqualTo(nowNs - 3 * SECOND_NS);
        assertThat(ticket.facts().lastLogUs()).isEqualTo(LAST_US - 10_000);
        assertThat(ticket.facts().headerHigh()).isEqualTo(5);
        assertThat(ticket.facts().unnotedChunks()).isEqualTo(Math.floorDiv(ends.get(ends.size() - 2) - 300, 249));
        assertThat(ticket.facts().topics().size(TOPIC)).isEqualTo(32);
        assertThat(ticket.facts().topics().isTimed(TOPIC)).isTrue();
        assertThat(ticket.facts().topics().size(TOPIC + 1)).isEqualTo(KnownTopics.UNKNOWN);
        assertThat(board.ticket(2)).isSameAs(ResumeTicket.NONE);
    }

    /** A force takes seconds on a slow disk, and what a waiting stream sends meanwhile is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"boot", "another boot"})
    void aStreamWaitsForNoForceInTheSameBoot(String bootId) {
        disk.put(PART, log());
        note(STEM, new StreamNote(9, 4711, bootId, nowNs - 2 * SECOND_NS, epochMs - 2000, mark(300, nowNs)));

        for (int i = 0; i < 20 && board.ticket(1).state() != ResumeTicket.State.OPEN; i++) {
            keeper.doWork();
        }

        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
        int forces = disk.count(FakeDisk.Operation.FORCE) + disk.count(FakeDisk.Operation.FORCE_NAMES);
        assertThat(forces).isEqualTo(bootId.equals("boot") ? 0 : 2);
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(longs = {601, 100_000, -5})
    void oldNoteAndOneOfTheFutureMakeNoTicket(long ageS) {
        disk.put(PART, log());
        note(STEM, noteOf(ageS));

        work();

        assertThat(board.ticket(1)).isSameAs(ResumeTicket.NONE);
        assertThat(disk.storedNames()).containsExactly(DONE);
        assertThat(askedProcess).isEqualTo(4711);
    }

    @Test
    void afterABootOfTheComputerTheWallClockTellsTheAge() {
        disk.put(PART, log());
        note(STEM, noteOf(30));
        bootId = "another boot";
        nowNs = 5 * SECOND_NS;
        keeper = keeper();

        work();

        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
        assertThat(board.ticket(1).facts().sequenceNs()).isEqualTo(-26 * SECOND_NS);
    }

    @Test
    void damagedNoteMakesNoTicketAndDoesNoHarm() {
        byte[] whole = log();
        StreamNote good = noteOf(2);
        for (int position = 0; position < StreamNote.SLOT_BYTES; position += 3) {
            disk.storedNames().forEach(this::delete);
            disk.put(PART, whole);
            note(STEM, good);
            byte[] damaged = disk.bytes(StreamNotes.name(STEM));
            damaged[position] ^= 0x10;
            disk.put(StreamNotes.name(STEM), damaged);
            keeper = keeper();

            work();

            boolean unused = position >= good.encode().getShort(6) - 4 + 4;
            assertThat(board.ticket(1) == ResumeTicket.NONE)
                    .as("byte %d", position)
                    .isNotEqualTo(unused);
        }
    }

    @Test
    void noteCutByThePowerLeavesTheOneBefore() {
        disk.put(PART, log());
        byte[] file = new byte[StreamNote.FILE_BYTES];
        noteOf(2).encode().get(file, 0, StreamNote.SLOT_BYTES);
        noteOf(1).encode().get(file, StreamNote.SLOT_BYTES, 40);
        disk.put(StreamNotes.name(STEM), file);

        work();

        assertThat(board.ticket(1).facts().sequenceNs()).isEqualTo(nowNs - 3 * SECOND_NS);
    }

    @Test
    void logThatHasNoDataYetMakesNoTicket() {
        byte[] whole = log();
        disk.put(PART, Arrays.copyOf(whole, ends.get(4)));
        note(STEM, noteOf(2));

        work();

        assertThat(board.ticket(1)).isSameAs(ResumeTicket.NONE);
        assertThat(disk.storedNames()).containsExactly(DONE);
    }

    @Test
    void onlyTheNewestFileOfAVehicleWaits() {
        String older = "2026-11-21_14-03-00_sys001_000041";
        String other = "2026-11-21_14-03-00_sys002_000040";
        for (String stem : List.of(older, STEM, other)) {
            disk.put(stem + ".ulg.part", log());
        }
        note(older, noteOf(9));
        note(STEM, noteOf(2));

        work();

        assertThat(disk.storedNames())
                .containsExactlyInAnyOrder(older + ".ulg", PART, StreamNotes.name(STEM), other + ".ulg");
        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
    }

    @Test
    void nameWithAnImpossibleSystemIdIsFinishedAsAnyOther() {
        disk.put(STEM.replace("sys001", "sys999") + ".ulg.part", log());

        work();

        assertThat(disk.storedNames()).containsExactly(STEM.replace("sys001", "sys999") + ".ulg");
    }

    @Test
    void droppedTicketIsFinished() {
        disk.put(PART, log());
        note(STEM, noteOf(2));
        work();

        assertThat(board.ticket(1).drop()).isTrue();
        work();

        assertThat(disk.storedNames()).containsExactly(DONE);
        assertThat(finished).hasSize(1);
        assertThat(board.ticket(1).take()).isFalse();
    }

    @Test
    void ticketOfAVehicleThatDoesNotShowIsFinishedAfterAMinute() {
        disk.put(PART, log());
        note(STEM, noteOf(2));
        work();
        nowNs += 59 * SECOND_NS;
        work();
        assertThat(disk.storedNames()).contains(PART);

        nowNs += SECOND_NS;
        work();

        assertThat(disk.storedNames()).containsExactly(DONE);
    }

    @Test
    void takenLogGoesOnInItsFileAndIsFinishedAsAnyOther() throws Exception {
        byte[] whole = log();
        report = new CrashReport("it broke", List.of());
        disk.put(PART, Arrays.copyOf(whole, whole.length - 1));
        note(STEM, noteOf(2));
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        work();
        assertThat(board.ticket(1).take()).isTrue();
        nowNs += 100 * SECOND_NS;
        work();
        assertThat(disk.storedNames()).contains(PART);

        LogFile file = store.resume(board.take(1).start());
        ByteBuffer more = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        sample(more, LAST_US + 5);
        file.append(new UnsafeBuffer(more.array()), 0, more.position(), nowNs);
        work();
        store.finish(file);
        work();

        byte[] result = disk.bytes(DONE);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.write(whole, 59, whole.length - 59 - 35);
        expected.write(more.array(), 0, more.position());
        assertThat(Arrays.copyOfRange(result, 59, 59 + expected.size())).isEqualTo(expected.toByteArray());
        assertThat(new String(result, StandardCharsets.ISO_8859_1)).contains("hardfault_plain");
        assertThat(disk.storedNames()).containsExactly(DONE);
        assertClean(result);
    }

    @Test
    void endOfTheProgramFinishesAllThatWaits() {
        disk.put(PART, log());
        note(STEM, noteOf(2));
        work();

        keeper.onClose();

        assertThat(disk.storedNames()).containsExactly(DONE);
    }

    @Test
    void moreUnfinishedFilesThanAreListedAtATimeAreFinishedOneListAfterTheOther() throws Exception {
        int count = 2 * UnfinishedListing.MAX_FILES + 5;
        byte[] log = log();
        for (int i = 1; i <= count; i++) {
            disk.put(String.format("2026-11-21_14-03-59_sys001_%06d.ulg.part", i), log);
        }
        keeper.doWork();
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        LogFile own = store.create(1);

        for (int i = 0; i < 20 * count && finished.size() < count; i++) {
            keeper.doWork();
        }

        assertThat(finished).hasSize(count);
        assertThat(disk.storedNames())
                .filteredOn(name -> name.endsWith(".part"))
                .containsExactly(own.unfinishedName());
        assertThat(own.unfinishedName()).contains(String.format("_%06d.", count + 1));
    }

    /**
     * On a slow disk the first list takes long; the keeper has other work meanwhile, and the watchdog checks its
     * progress.
     */
    @Test
    void theFirstListIsMadeInStepsAndShowsWhichVehiclesAreKnown() {
        for (int i = 1; i <= 3000; i++) {
            disk.put(String.format("2026-11-21_14-03-59_sys%03d_%06d.ulg", 1 + i % 3, 1000 + i), new byte[0]);
        }
        disk.put(PART, log());
        keeper = keeper(() -> nowNs += TimeUnit.MILLISECONDS.toNanos(1));
        int rounds = 0;
        while (!board.isListed() && rounds < 1000) {
            assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.PENDING);
            keeper.doWork();
            rounds++;
        }

        assertThat(rounds).isBetween(4, 20);
        assertThat(List.of(memory.isKnown(1), memory.isKnown(3), memory.isKnown(4)))
                .containsExactly(true, true, false);
        work();
        assertThat(disk.storedNames()).contains(DONE).doesNotContain(PART);
    }

    /** Otherwise a file of this run could be taken for one of those that are listed later. */
    @Test
    void newFileHasAHigherCounterThanAllThatWereThereAtTheStart() throws Exception {
        disk.put(PART, new byte[0]);
        work();
        assertThat(disk.storedNames()).isEmpty();

        LogFile own = new LogStore(disk, () -> epochMs, SETTINGS, keeper).create(1);

        assertThat(own.unfinishedName()).contains("_000043.");
    }

    @Test
    void noFileIsMadeBeforeTheOldOnesAreKnown() {
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);

        org.assertj.core.api.Assertions.assertThatThrownBy(() -> store.create(1))
                .isInstanceOf(IOException.class);
        work();

        org.assertj.core.api.Assertions.assertThatCode(() -> store.create(1)).doesNotThrowAnyException();
    }

    /** Head, then 120,000 samples, the last of them cut. */
    private byte[] longLog() {
        byte[] begin = log();
        ByteBuffer out =
                ByteBuffer.allocate(5 << 20).order(ByteOrder.LITTLE_ENDIAN).put(begin);
        for (int i = 0; i < 120_000; i++) {
            sample(out, 11_000_000 + i * 1000L);
        }
        return Arrays.copyOf(out.array(), out.position() - 7);
    }

    private static UnfinishedScan scanned(Disk.Access file, StreamMark.Stretch plain) throws IOException {
        UnfinishedScan scan =
                new UnfinishedScan(file, plain, new MemoryBudget(32 << 20).share(Requester.UNFINISHED_LOG));
        while (scan.step()) {
            // until all of it is read
        }
        return scan;
    }

    @Test
    void whatIsPlainNeedNotBeReadToKnowALog() throws Exception {
        disk.put(PART, longLog());
        int head = ends.get(4);
        int tail = ends.get(ends.size() - 1000);
        try (Disk.Access file = disk.open(PART)) {
            UnfinishedScan whole = scanned(file, StreamMark.Stretch.NONE);
            int reads = disk.count(FakeDisk.Operation.READ);
            UnfinishedScan some = scanned(file, new StreamMark.Stretch(head, tail));

            assertThat(disk.count(FakeDisk.Operation.READ) - reads).isLessThanOrEqualTo(3);
            assertThat(some.isResumable()).isTrue();
            assertThat(some.wholeBytes()).isEqualTo(whole.wholeBytes()).isEqualTo((long) ends.get(ends.size() - 2));
            assertThat(some.headEnd()).isEqualTo(whole.headEnd()).isEqualTo(head);
            assertThat(some.lastUs()).isEqualTo(whole.lastUs()).isEqualTo(11_000_000 + 119_998 * 1000L);
            assertThat(some.head()).isEqualTo(whole.head());
        }
    }

    @Test
    void aPlainStretchOfHoursIsNoLeap() throws Exception {
        byte[] begin = log();
        ByteBuffer out =
                ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN).put(begin);
        int plainFrom = out.position(); // after samples, like a parameter that came late
        for (int i = 0; i < 1000; i++) {
            sample(out, 10_200_000 + i * 9_000_000L);
        }
        int plainTo = out.position();
        sample(out, 9_020_000_000L);
        sample(out, 9_021_000_000L);
        disk.put(PART, Arrays.copyOf(out.array(), out.position()));

        try (Disk.Access file = disk.open(PART)) {
            UnfinishedScan scan = scanned(file, new StreamMark.Stretch(plainFrom, plainTo));
            assertThat(scan.lastUs()).isEqualTo(9_021_000_000L);
            assertThat(scan.endUs()).isEqualTo(9_021_000_000L);
        }
    }

    /** After a power cut, noted data may never have reached the disk. */
    @ParameterizedTest
    @ValueSource(strings = {"boot", "another boot"})
    void theNoteIsBelievedInItsBootOnly(String bootId) {
        byte[] log = longLog();
        disk.put(PART, log);
        long notedNs = nowNs - 2 * SECOND_NS;
        StreamMark mark = new StreamMark(
                mark(0, notedNs).stream(), log.length - 100, new StreamMark.Stretch(ends.get(4), ends.get(100_000)));
        note(STEM, new StreamNote(9, 4711, bootId, notedNs, epochMs - 2000, mark));
        for (int i = 0; i < 200 && board.ticket(1).state() != ResumeTicket.State.OPEN; i++) {
            keeper.doWork();
        }

        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
        assertThat(board.ticket(1).facts().lastLogUs()).isEqualTo(11_000_000 + 119_998 * 1000L);
        int pieces = log.length / (32 << 10);
        if (bootId.equals("boot")) {
            assertThat(disk.count(FakeDisk.Operation.READ)).isLessThan(pieces / 2);
        } else {
            assertThat(disk.count(FakeDisk.Operation.READ)).isGreaterThanOrEqualTo(pieces);
        }
    }

    @Test
    void theNoteTellsWhatNobodyNeeds() throws Exception {
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        work();
        LogFile file = store.create(1);
        byte[] bytes = log();
        file.append(new UnsafeBuffer(bytes), 0, ends.get(4), nowNs);
        file.headEndsHere();
        List<StreamMark.Stretch> told = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            file.append(new UnsafeBuffer(bytes), ends.get(4), bytes.length - ends.get(4), nowNs);
            file.write();
            file.mark(mark(0, nowNs).stream());
            work();
            told.add(StreamNotes.read(disk, file.stem()).orElseThrow().mark().plain());
            nowNs += SECOND_NS;
        }

        int head = ends.get(4);
        int each = bytes.length - head;
        assertThat(told.subList(0, 5)).allMatch(plain -> plain.length() == 0);
        assertThat(told.get(5)).as("up to 5 s ago").isEqualTo(new StreamMark.Stretch(head, head + each));
        assertThat(told.get(11)).isEqualTo(new StreamMark.Stretch(head, head + 6L * each));

        file.append(new UnsafeBuffer(bytes), ends.get(3), head - ends.get(3), nowNs); // a subscription
        file.headEndsHere();
        file.write();
        file.mark(mark(0, nowNs).stream());
        work();
        assertThat(StreamNotes.read(disk, file.stem())
                        .orElseThrow()
                        .mark()
                        .plain()
                        .length())
                .isZero();
    }

    @Test
    void growingFileHasANoteThatFollowsIt() throws Exception {
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        work();
        LogFile file = store.create(1);
        byte[] bytes = log();
        file.append(new UnsafeBuffer(bytes), 0, bytes.length, nowNs);
        file.mark(mark(0, nowNs).stream());
        work();
        assertThat(StreamNotes.read(disk, file.stem()))
                .as("before it is written")
                .isEmpty();

        for (int i = 0; i < 5; i++) {
            file.write();
            StreamMark.Stream next = new StreamMark.Stream("uart", 1, 1, 700 + i, nowNs, 10_000_000 + i, 150, 1e6);
            file.mark(next);
            work();
            assertThat(StreamNotes.read(disk, file.stem()).orElseThrow().mark())
                    .isEqualTo(new StreamMark(next, bytes.length, new StreamMark.Stretch(0, 0)));
            nowNs += SECOND_NS / 5;
        }
        assertThat(disk.count(FakeDisk.Operation.REPLACE)).isEqualTo(1);
        store.finish(file);
        work();

        assertThat(disk.storedNames()).containsExactly(file.name());
    }

    @ParameterizedTest
    @EnumSource(
            value = FakeDisk.Operation.class,
            names = {"REPLACE", "OPEN"})
    void noteThatCannotBeWrittenHarmsNothing(FakeDisk.Operation operation) throws Exception {
        LogStore store = new LogStore(disk, () -> epochMs, SETTINGS, keeper);
        work();
        disk.fail(operation, count -> true);
        LogFile file = store.create(1);
        byte[] bytes = log();
        file.append(new UnsafeBuffer(bytes), 0, bytes.length, nowNs);
        file.write();
        file.mark(mark(0, nowNs).stream());
        work();
        store.finish(file);
        work();

        assertThat(file.isFailed()).isFalse();
        assertThat(disk.bytes(file.name())).isEqualTo(bytes);
    }

    @Test
    void linesOfTheDeadRunStandAtTheirTimes() throws Exception {
        report = new CrashReport(
                "",
                List.of(
                        new CrashReport.Line(LogLevel.WARNING, EPOCH_MS - 4000, "before"),
                        new CrashReport.Line(LogLevel.ERROR, EPOCH_MS - 1500, "after"),
                        new CrashReport.Line(LogLevel.INFO, 5, "of another age")));
        disk.put(PART, log());
        note(STEM, noteAt(EPOCH_MS - 2000));

        work();

        List<String> lines = new ArrayList<>();
        ULogScanner scanner = new ULogScanner(new ScanHandler() {
            @Override
            public void onMessage(int type, byte[] buffer, int offset, int length) {
                if (type == MessageType.LOGGED_STRING) {
                    ByteBuffer message = ByteBuffer.wrap(buffer, offset, length).order(ByteOrder.LITTLE_ENDIAN);
                    lines.add((char) buffer[offset + 3] + " " + message.getLong(offset + 4) + " "
                            + new String(buffer, offset + 12, length - 12, StandardCharsets.UTF_8));
                }
            }
        });
        byte[] result = disk.bytes(DONE);
        scanner.feed(result, 0, result.length);
        scanner.finish();
        assertThat(lines)
                .containsExactly(
                        "4 8050000 [mavlogd] before",
                        "3 10550000 [mavlogd] after",
                        "6 " + LAST_US + " [mavlogd] of another age");
        assertThat(new String(result, StandardCharsets.ISO_8859_1)).doesNotContain(ULogAppender.CRASH_TEXT_NAME);
    }

    /** A user of this computer can make a file with terabytes of zeros at its end. */
    @ParameterizedTest
    @ValueSource(strings = {".ulg", ".tlog", ".bin"})
    void noRoundReadsMuchOfTheZerosAtTheEnd(String kind) {
        ByteBuffer telemetry = ByteBuffer.allocate(20);
        telemetry(telemetry, EPOCH_MS * 1000);
        byte[] block = new byte[200];
        Arrays.fill(block, (byte) 1);
        byte[] whole = kind.equals(".ulg") ? log() : kind.equals(".tlog") ? telemetry.array() : block;
        int zeros = 16 << 20;
        disk.put(STEM + kind + ".part", Arrays.copyOf(whole, whole.length + zeros));

        long most = 0;
        for (int round = 0; round < 1000 && !disk.storedNames().contains(STEM + kind); round++) {
            long before = disk.bytesRead();
            keeper.doWork();
            most = Math.max(most, disk.bytesRead() - before);
        }

        assertThat(disk.bytes(STEM + kind)).isEqualTo(whole);
        assertThat(most).isPositive().isLessThanOrEqualTo(1 << 20);
    }

    /** The file may end within a frame, or with pages of zeros. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 19, 5000, 65_500, 65_536, 300_000})
    void telemetryEndsAfterItsLastWholeFrame(int excess) {
        ByteBuffer whole = ByteBuffer.allocate(20 * 4000);
        for (int i = 0; i < 4000; i++) {
            telemetry(whole, EPOCH_MS * 1000 + i);
        }
        ByteBuffer next = ByteBuffer.allocate(5000);
        telemetry(next, EPOCH_MS * 1000 + 4000);
        byte[] left = Arrays.copyOf(whole.array(), whole.capacity() + excess);
        System.arraycopy(next.array(), 0, left, whole.capacity(), excess < 20 ? excess : 0);
        disk.put(STEM + ".tlog.part", left);

        work();

        assertThat(disk.bytes(STEM + ".tlog")).isEqualTo(whole.array());
        assertThat(finished).containsExactly(STEM + ".tlog " + whole.capacity());
        assertThat(board.isListed()).isTrue();
    }

    /** The last 64 KiB of a file may start inside a frame, with bytes that look like a short record. */
    @Test
    void telemetryWhoseTailStartsWithAFalseRecordIsNotCut() {
        ByteBuffer whole = ByteBuffer.allocate(26 + 20 * 4000);
        whole.putLong(EPOCH_MS * 1000).put((byte) 0xFE).put((byte) 10).put(new byte[16]);
        for (int i = 0; i < 4000; i++) {
            telemetry(whole, EPOCH_MS * 1000 + i);
        }
        whole.put(whole.capacity() - 65_536 + 8, (byte) 0xFE).put(whole.capacity() - 65_536 + 9, (byte) 32);
        disk.put(STEM + ".tlog.part", whole.array());

        work();

        assertThat(disk.bytes(STEM + ".tlog")).isEqualTo(whole.array());
    }

    @Test
    void telemetryAfterDamageIsKept() {
        ByteBuffer whole = ByteBuffer.allocate(20 * 3000);
        for (int i = 0; i < 3000; i++) {
            telemetry(whole, EPOCH_MS * 1000 + i);
        }
        Arrays.fill(whole.array(), 20 * 2500, 20 * 2700, (byte) 0); // a page that a power cut left without its bytes
        disk.put(STEM + ".tlog.part", Arrays.copyOf(whole.array(), whole.capacity() + 100));

        work();

        assertThat(disk.bytes(STEM + ".tlog")).isEqualTo(whole.array());
    }

    @Test
    void whatIsNoTelemetryIsLeftAsItIs() {
        byte[] other = new byte[70_000];
        Arrays.fill(other, (byte) 7);
        disk.put(STEM + ".tlog.part", other);

        work();

        assertThat(disk.bytes(STEM + ".tlog")).isEqualTo(other);
    }

    private static void telemetry(ByteBuffer out, long utcUs) {
        out.putLong(utcUs).put((byte) 0xFE).put((byte) 4).put(new byte[10]);
    }
}
