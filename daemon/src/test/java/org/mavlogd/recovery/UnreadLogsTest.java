package org.mavlogd.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.contain.Recovery;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.ResumeTicket;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
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
import org.mavlogd.ulog.MessageEncoder;

/** No unfinished log of an earlier run prevents recording, whatever it contains and whatever fails while it is read. */
class UnreadLogsTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String STEM = "2026-11-21_14-03-59_sys001_000042";
    private static final String PART = STEM + ".ulg.part";
    private static final String UNREAD = STEM + ".ulg.unread";
    private static final String OTHER = "2026-11-21_14-03-59_sys002_000043";
    private static final String BLOCKS = "2026-11-21_14-03-59_sys003_000044";
    private static final StoreSettings SETTINGS =
            new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);
    // The keeper also measures the disk for other purposes.
    private static final Set<String> NOT_COUNTED = Set.of("usableBytes", "totalBytes", "location");

    private Metrics metrics = new Metrics();
    private RecoveryCounters counters = RecoveryCounters.register(metrics);
    private FakeDisk disk = new FakeDisk();
    private long nowNs = 1000 * SECOND_NS;
    private ResumableLogs board = new ResumableLogs();
    private final MemoryBudget budget = new MemoryBudget(32 << 20);
    private CrashReport.Source crashes = (process, since) -> new CrashReport("it broke", List.of());
    private Keeper.FinishedListener listener = (name, bytes) -> {};

    private Keeper keeper(Disk seen) {
        board = new ResumableLogs();
        HostClock clock = new HostClock(() -> nowNs, () -> 1_790_000_000_000L, "boot", 77);
        return new Keeper(
                seen,
                clock.monotonic(),
                (name, bytes) -> listener.onFinished(name, bytes),
                SpaceLimits.NONE,
                StoreCounters.register(metrics),
                LogRecovery.of(
                        seen,
                        new Restart(clock, board, budget, (process, since) -> crashes.report(process, since)),
                        counters));
    }

    private static void work(Keeper keeper) {
        for (int i = 0; i < 40; i++) {
            keeper.doWork();
        }
    }

    private static byte[] log() {
        ByteBuffer out = ByteBuffer.allocate(8192).order(ByteOrder.LITTLE_ENDIAN);
        MessageEncoder.header(out, 5);
        MessageEncoder.flagBits(out, 0);
        MessageEncoder.format(out, "x:uint64_t timestamp;");
        MessageEncoder.subscription(out, 0, 3, "x");
        for (int i = 0; i < 10; i++) {
            byte[] time = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(10_000_000 + i * 10_000L)
                    .array();
            MessageEncoder.data(out, 3, time, 0, time.length);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** A note two seconds old: the vehicle's stream may still run. */
    private void note(String stem, int systemId) {
        long notedNs = nowNs - 2 * SECOND_NS;
        StreamMark mark =
                new StreamMark(new StreamMark.Stream("uart", systemId, 1, 700, notedNs, 10_050_000, 150, 1e6), 100);
        byte[] file = new byte[StreamNote.FILE_BYTES];
        new StreamNote(9, 4711, "boot", notedNs, 1_789_999_998_000L, mark)
                .encode()
                .get(file, 0, StreamNote.SLOT_BYTES);
        disk.put(StreamNotes.name(stem), file);
    }

    /** Kills one run after another within its scan, and replaces the place that it noted by the given one. */
    private void killAt(long... places) {
        for (int i = 0; i < places.length; i++) {
            Keeper killed = keeper(disk);
            killed.doWork();
            killed.doWork();
            assertThat(disk.bytes(ScanNotes.name(STEM))).hasSize((i + 1) * Long.BYTES);
            assertThat(disk.forcedLength(ScanNotes.name(STEM))).isEqualTo((i + 1) * Long.BYTES);
            byte[] note = disk.bytes(ScanNotes.name(STEM));
            ByteBuffer.wrap(note).putLong(i * Long.BYTES, places[i]);
            disk = disk.afterCrash();
            disk.put(ScanNotes.name(STEM), note);
        }
    }

    @Test
    void logWhoseScanEndedTheProgramTwiceAtOnePlaceIsSetAsideUnread() {
        byte[] log = log();
        disk.put(PART, log);
        killAt(0, 0);
        disk.put(OTHER + ".ulg.part", log);

        work(keeper(disk));

        assertThat(disk.storedNames()).containsExactlyInAnyOrder(UNREAD, OTHER + ".ulg");
        assertThat(disk.bytes(UNREAD)).isEqualTo(log);
        assertThat(counters.unreadLogs()).isEqualTo(1);
        work(keeper(disk.afterCrash()));
        assertThat(counters.unreadLogs()).isEqualTo(1);
    }

    /** Kills and power cuts that the log did not cause. */
    @Test
    void logIsReadAgainAfterScansThatEndedAtDifferentPlaces() {
        disk.put(PART, log());
        killAt(0, 32_768, ScanNotes.NO_PLACE, ScanNotes.NO_PLACE);

        work(keeper(disk));

        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
        assertThat(counters.unreadLogs()).isZero();
    }

    @Test
    void logWhoseScanNeverEndsIsSetAsideWhereverThatIs() {
        disk.put(PART, log());
        killAt(0, 1, 2, 3, ScanNotes.NO_PLACE);

        work(keeper(disk));

        assertThat(disk.storedNames()).containsExactly(UNREAD);
    }

    /** The note as a killed run leaves it. */
    @Test
    void theNoteOfAScanHoldsThePlaceOfEachStep() {
        disk.put(PART, log());
        List<Long> places = new ArrayList<>();
        Disk seen = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    Object result = call(disk, method, arguments);
                    return result instanceof Disk.Access access && PART.equals(arguments[0])
                            ? reading(access, places)
                            : result;
                });

        work(keeper(seen));

        assertThat(places).contains(0L);
        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
    }

    private Disk.Access reading(Disk.Access log, List<Long> places) {
        return (Disk.Access) Proxy.newProxyInstance(
                Disk.Access.class.getClassLoader(), new Class<?>[] {Disk.Access.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        places.add(ByteBuffer.wrap(disk.bytes(ScanNotes.name(STEM)))
                                .getLong());
                    }
                    return call(log, method, arguments);
                });
    }

    @Test
    void logWhoseScanEndedTheProgramOnceIsReadAgain() {
        disk.put(PART, log());
        Keeper killed = keeper(disk);
        killed.doWork();
        killed.doWork();
        disk = disk.afterCrash();

        work(keeper(disk));

        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
        assertThat(counters.unreadLogs()).isZero();
    }

    @Test
    void noteOfAScanIsGoneOnceTheLogWaitsForItsStream() {
        disk.put(PART, log());
        note(STEM, 1);

        work(keeper(disk));

        assertThat(board.ticket(1).state()).isEqualTo(ResumeTicket.State.OPEN);
        assertThat(disk.storedNames()).containsExactlyInAnyOrder(PART, StreamNotes.name(STEM));
    }

    @Test
    void noteOfAScanWithoutItsLogIsRemoved() {
        disk.put(ScanNotes.name(STEM), new byte[2]);

        work(keeper(disk));

        assertThat(disk.storedNames()).isEmpty();
    }

    @Test
    void logIsReadWhenTheNoteCannotBeWritten() {
        disk.put(PART, log());
        disk.fail(FakeDisk.Operation.CREATE, count -> true);

        work(keeper(disk));

        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
    }

    @Test
    void logThatTheDiskRenamedBeforeItFailedIsFinished() throws Exception {
        disk.put(PART, log());
        note(STEM, 1);
        nowNs += 700 * SECOND_NS;
        String[] finished = {""};
        listener = (name, bytes) -> finished[0] = name;
        boolean[] failed = {false};
        Disk renamesAndFails = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    Object result = call(disk, method, arguments);
                    if (method.getName().equals("rename") && !failed[0]) {
                        failed[0] = true;
                        throw new IOException("directory not written");
                    }
                    return result;
                });
        Keeper keeper = keeper(renamesAndFails);

        work(keeper);
        nowNs += 2 * SECOND_NS;
        work(keeper);

        assertThat(finished[0]).isEqualTo(STEM + ".ulg");
        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Fails once, at the n-th call of the disk or of a file on it. */
    private static final class Mistake {
        private final @Nullable Error error;
        private final int at;
        private int calls;
        private boolean happened;
        private boolean isOver;

        private Mistake(int at, boolean isStackOverflow) {
            this.at = at;
            this.error = isStackOverflow ? new StackOverflowError("a mistake") : null;
        }

        @SuppressWarnings("unchecked")
        private <T> T in(Class<T> type, Object target) {
            return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                if (!isOver
                        && !NOT_COUNTED.contains(method.getName())
                        && !method.getName().equals("close")
                        && calls++ == at) {
                    happened = true;
                    if (error != null) {
                        throw error;
                    }
                    throw new IllegalStateException("a mistake in " + method.getName());
                }
                Object result = call(target, method, args);
                if (result instanceof Disk.Access access && method.getReturnType() == Disk.Access.class) {
                    return in(Disk.Access.class, access);
                }
                if (result instanceof Disk.Output output && method.getReturnType() == Disk.Output.class) {
                    return in(Disk.Output.class, output);
                }
                return result;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mistakeAtAnyStepCostsNothingButThatFile(boolean isStackOverflow) throws Exception {
        boolean happened = true;
        long setAside = 0;
        for (int step = 0; happened; step++) {
            disk = new FakeDisk();
            metrics = new Metrics();
            counters = RecoveryCounters.register(metrics);
            byte[] log = log();
            byte[] blocks = new byte[4 * BlockView.DATA_LENGTH];
            Arrays.fill(blocks, (byte) 7);
            disk.put(PART, log);
            disk.put(OTHER + ".ulg.part", log);
            note(OTHER, 2);
            disk.put(BLOCKS + ".bin.part", blocks);
            note(BLOCKS, 3);
            Mistake mistake = new Mistake(step, isStackOverflow);
            Keeper keeper = keeper(mistake.in(Disk.class, disk));

            work(keeper);
            nowNs += 61 * SECOND_NS;
            work(keeper);
            happened = mistake.happened;
            mistake.isOver = true;

            LogStore store = new LogStore(disk, () -> 1_790_000_000_000L, SETTINGS, keeper);
            LogFile recorded = store.create(9);
            store.finish(recorded);
            work(keeper);
            assertThat(disk.storedNames()).as("step %d", step).anyMatch(name -> name.contains("sys009"));
            for (String stem : List.of(STEM + ".ulg", OTHER + ".ulg", BLOCKS + ".bin")) {
                List<String> kept = disk.storedNames().stream()
                        .filter(name -> name.startsWith(stem))
                        .toList();
                assertThat(kept).as("step %d", step).hasSize(1);
                byte[] original = stem.equals(BLOCKS + ".bin") ? blocks : log;
                assertThat(disk.bytes(kept.get(0)).length).isGreaterThanOrEqualTo(original.length);
            }
            assertThat(counters.unreadLogs()).as("step %d", step).isLessThanOrEqualTo(1);
            assertThat(counters.unfinishedLogs.errors())
                    .as("step %d", step)
                    .isGreaterThanOrEqualTo(counters.unreadLogs());
            assertThat(budget.part(Requester.UNFINISHED_LOG).used())
                    .as("bytes still reserved, step %d", step)
                    .isZero();
            setAside += counters.unreadLogs();
        }
        assertThat(setAside).isGreaterThan(10);
    }

    @Test
    void mistakesInTheCrashReportAndInTheListenerLeaveTheLogFinished() {
        disk.put(PART, log());
        crashes = (process, since) -> {
            throw new IllegalStateException("a mistake");
        };
        work(keeper(disk));
        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
        assertThat(counters.crashData.errors()).isEqualTo(1);

        disk = new FakeDisk();
        disk.put(PART, log());
        crashes = (process, since) -> CrashReport.NONE;
        listener = (name, bytes) -> {
            throw new IllegalStateException("a mistake");
        };
        work(keeper(disk));
        assertThat(disk.storedNames()).containsExactly(STEM + ".ulg");
        assertThat(metrics.part("finished.logs", Recovery.CONTINUES).errors()).isEqualTo(1);
    }

    @Test
    void logForWhichThereIsNoMemoryIsCutAsAnyOtherButNotContinued() throws Exception {
        byte[] log = log();
        disk.put(PART, Arrays.copyOf(log, log.length - 1));
        long needed = 0;
        while (!scan(needed).isResumable()) {
            assertThat(scan(needed).wholeBytes()).isIn((long) log.length - 13, (long) log.length - 1);
            needed += 97;
        }

        assertThat(needed).isBetween(160L << 10, 200L << 10);
        assertThat(scan(needed).wholeBytes()).isEqualTo(log.length - 13);
    }

    private UnfinishedScan scan(long memoryBytes) throws IOException {
        MemoryShare share = new MemoryBudget(16 * memoryBytes).share(Requester.UNFINISHED_LOG);
        try (Disk.Access file = disk.open(PART)) {
            UnfinishedScan scan = new UnfinishedScan(file, StreamMark.Stretch.NONE, share);
            while (scan.step()) {
                // until all of it is read
            }
            scan.isResumable();
            return scan;
        }
    }
}
