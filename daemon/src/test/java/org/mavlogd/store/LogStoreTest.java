package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.store.FakeDisk.Operation;

/** Store, file being written and keeper on a disk in memory. */
class LogStoreTest {
    private static final long BEGIN_EPOCH_MS = 1_795_269_839_000L; // 2026-11-21 14:03:59 UTC
    private static final String STEM = "2026-11-21_14-03-59_sys001_";
    private static final int BATCH_BYTES = 100;
    private static final StoreSettings.Durability DURABILITY = StoreSettings.Durability.ofMs(500);

    private final FakeDisk disk = new FakeDisk();
    private final StoreSettings settings = new StoreSettings(BATCH_BYTES, DURABILITY);
    private final List<String> finished = new ArrayList<>();
    private long nowNs = 1000;
    private final Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> finished.add(name + " " + bytes));
    private long epochMs = BEGIN_EPOCH_MS;
    private final LogStore store = new LogStore(disk, () -> epochMs, settings, keeper);

    @Test
    void namesFilesByTimeVehicleAndCounter() throws IOException {
        store.create(1);
        store.create(255);

        assertThat(disk.storedNames())
                .containsExactly(STEM + "000001.ulg.part", "2026-11-21_14-03-59_sys255_000002.ulg.part");
    }

    @Test
    void namesAreTheSameInEveryLocale() throws IOException {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            store.create(1);
        } finally {
            Locale.setDefault(before);
        }

        assertThat(disk.storedNames()).containsExactly(STEM + "000001.ulg.part");
    }

    @Test
    void saysWhenTheClockWasNotSet() throws IOException {
        epochMs = 12_000;
        store.create(1);
        epochMs = Long.MAX_VALUE / 2;
        store.create(1);

        assertThat(disk.storedNames())
                .containsExactly(
                        "0000-00-00_00-00-00_sys001_000001.ulg.part", "0000-00-00_00-00-00_sys001_000002.ulg.part");
    }

    @Test
    void countsOnFromTheFilesThatAreThere() throws IOException {
        disk.put("2026-01-01_00-00-00_sys009_000041.ulg", new byte[1]);
        disk.put("0000-00-00_00-00-00_sys009_000007.ulg.part", new byte[1]);
        disk.put("holiday_000099.ulg", new byte[1]);

        store.create(1);

        assertThat(disk.storedNames()).contains(STEM + "000042.ulg.part");
    }

    @Test
    void stepsOverNamesThatAreTaken() throws IOException {
        store.create(1);
        disk.put(STEM + "000002.ulg.part", new byte[1]);
        disk.put(STEM + "000003.ulg.part", new byte[1]);

        assertThat(store.create(1).name()).isEqualTo(STEM + "000004.ulg");
        assertThat(store.create(1).name()).isEqualTo(STEM + "000005.ulg");
    }

    @Test
    void beginsNoFileOnAFullDisk() {
        disk.usableBytes(1000);
        keeper.doWork();

        assertThat(store.obstacle(1)).isEqualTo(LogStore.Obstacle.NO_SPACE);
        assertThatThrownBy(() -> store.create(1))
                .isInstanceOf(IOException.class)
                .hasMessage("paused: no space left in fake disk");
        assertThat(disk.storedNames()).isEmpty();
    }

    @Test
    void passesFailuresOnAndTriesTheSameNameAgain() throws IOException {
        disk.fail(Operation.CREATE, count -> count == 0);

        assertThatThrownBy(() -> store.create(1)).isInstanceOf(IOException.class);

        assertThat(store.create(1).name()).isEqualTo(STEM + "000001.ulg");
    }

    @Test
    void writesFullBatchesAtOnceAndTheRestAfterTheInterval() throws IOException {
        LogFile file = store.create(1);

        append(file, 250);
        assertThat(disk.bytes(STEM + "000001.ulg.part")).hasSize(200);
        nowNs += DURABILITY.flushAgeNs() - 1;
        assertThat(file.flushIfDue(nowNs)).isFalse();
        nowNs++;
        assertThat(file.flushIfDue(nowNs)).isTrue();
        assertThat(file.flushIfDue(nowNs + DURABILITY.flushAgeNs())).isFalse();

        assertThat(disk.bytes(STEM + "000001.ulg.part")).isEqualTo(pattern(250));
        assertThat(file.appendedBytes()).isEqualTo(250);
        assertThat(file.unwrittenBytes()).isZero();
    }

    @Test
    void aWriteHasCompleteMessages() throws IOException {
        LogFile file = store.create(1);

        append(file, 60);
        append(file, 60);
        assertThat(disk.bytes(STEM + "000001.ulg.part")).isEqualTo(pattern(60));
        append(file, 40);
        assertThat(disk.bytes(STEM + "000001.ulg.part")).hasSize(60);
        append(file, 10);

        assertThat(disk.bytes(STEM + "000001.ulg.part")).hasSize(160);
        assertThat(file.appendedBytes()).isEqualTo(170);
    }

    @Test
    void aFailedWriteIsFinal() throws IOException {
        LogFile file = store.create(1);
        disk.fail(Operation.WRITE, count -> count == 1);

        append(file, 350); // the disk fails the test if it is written again
        file.write();
        store.finish(file);
        keeper.doWork();

        assertThat(file.failure()).isEqualTo("write: fake WRITE failure 1");
        assertThat(file.unwrittenBytes()).isEqualTo(250);
        assertThat(finished).containsExactly(STEM + "000001.ulg 100");
    }

    @Test
    void forcesGrowingFilesAtTheAgeOfTheirOldestByteAndOnlyWhenTheyGrew() throws IOException {
        LogFile file = store.create(1);
        append(file, BATCH_BYTES + 1);

        flushAfter(file, DURABILITY.flushAgeNs() - 1);
        assertThat(disk.count(Operation.FORCE)).isZero();
        flushAfter(file, 1);
        assertThat(disk.count(Operation.FORCE)).isEqualTo(1);
        assertThat(disk.forcedLength(STEM + "000001.ulg.part")).isEqualTo(BATCH_BYTES + 1);
        flushAfter(file, DURABILITY.limitNs());
        assertThat(disk.count(Operation.FORCE)).isEqualTo(1);
        append(file, 1);
        flushAfter(file, DURABILITY.flushAgeNs());

        assertThat(disk.count(Operation.FORCE)).isEqualTo(2);
    }

    @Test
    void countsTheAgeFromTheArrivalOfWhatArrivedFirst() throws IOException {
        LogFile file = store.create(1);
        file.append(new UnsafeBuffer(pattern(1)), 0, 1, nowNs + 10);
        file.append(new UnsafeBuffer(pattern(1)), 0, 1, nowNs);

        assertThat(file.flushIfDue(nowNs + DURABILITY.flushAgeNs())).isTrue();
    }

    @Test
    void forcesUrgentDataAtOnceButNotWithoutEnd() throws IOException {
        LogFile file = store.create(1);
        long steps = 1000;
        long stepNs = DURABILITY.urgentDistanceNs() / 50;
        for (int i = 0; i < steps; i++) {
            append(file, 1);
            file.makeUrgent();
            flushAfter(file, stepNs);
        }
        flushAfter(file, DURABILITY.urgentDistanceNs());

        assertThat(disk.count(Operation.FORCE)).isBetween(20, 21);
        assertThat(disk.forcedLength(STEM + "000001.ulg.part")).isEqualTo((int) steps);
        assertThat(keeper.forces().count()).isEqualTo(disk.count(Operation.FORCE));
    }

    @Test
    void tellsTheAgeOfWhatIsNotOnTheMedium() throws IOException {
        LogFile file = store.create(1);
        assertThat(file.unforcedNs(nowNs)).isZero();
        append(file, 1);
        nowNs += DURABILITY.flushAgeNs();
        assertThat(file.unforcedNs(nowNs)).isEqualTo(DURABILITY.flushAgeNs());

        file.flushIfDue(nowNs); // requested, but the keeper has not done it yet
        append(file, 1);
        assertThat(file.unforcedNs(nowNs + 7)).isEqualTo(DURABILITY.flushAgeNs() + 7);
        keeper.doWork();

        assertThat(file.unforcedNs(nowNs + 7)).isEqualTo(7);
    }

    @Test
    void remembersTheLongestTimeOfDataThatWasNotOnTheMedium() throws IOException {
        LogFile file = store.create(1);
        append(file, 1);
        flushAfter(file, DURABILITY.flushAgeNs() + 5);
        append(file, 1);
        flushAfter(file, DURABILITY.flushAgeNs());

        assertThat(file.unforcedNs(nowNs)).isZero();
        assertThat(file.longestUnforcedNs(nowNs)).isEqualTo(DURABILITY.flushAgeNs() + 5);
    }

    @Test
    void filesWhoseTimeComesSoonJoinOneThatIsDue() throws IOException {
        LogFile due = store.create(1);
        LogFile soon = store.create(2);
        LogFile later = store.create(3);
        append(due, 1);
        nowNs += DURABILITY.flushAgeNs() - DURABILITY.joinAgeNs();
        append(soon, 1);
        nowNs++;
        append(later, 1);
        nowNs += DURABILITY.joinAgeNs() - 1;
        store.nextLook().begin(nowNs);

        assertThat(soon.flushIfDue(nowNs)).as("before the file that is due").isFalse();
        assertThat(due.flushIfDue(nowNs)).isTrue();
        assertThat(later.flushIfDue(nowNs)).isFalse();
        store.nextLook().begin(nowNs);
        assertThat(soon.flushIfDue(nowNs)).isTrue();
        store.nextLook().begin(nowNs);
        assertThat(later.flushIfDue(nowNs + 1)).as("nobody is due any more").isFalse();
    }

    @Test
    void dataThatIsOldBecauseTheRecorderLagsIsNotForcedWithoutEnd() throws IOException {
        LogFile file = store.create(1);
        long lagNs = DURABILITY.limitNs();
        for (int i = 0; i < 100; i++) {
            store.nextLook().begin(nowNs);
            store.nextLook().onLag();
            file.append(new UnsafeBuffer(pattern(1)), 0, 1, nowNs - lagNs);
            flushAfter(file, DURABILITY.lagDistanceNs() / 10);
        }

        assertThat(disk.count(Operation.FORCE)).isEqualTo(10);
    }

    @Test
    void namesAFileByTheTimeThatBecameKnown() throws IOException {
        epochMs = 12_000;
        LogFile file = store.create(7);
        append(file, 10);

        file.beganAt(BEGIN_EPOCH_MS);
        store.finish(file);
        keeper.doWork();

        assertThat(disk.storedNames()).containsExactly("2026-11-21_14-03-59_sys007_000001.ulg");
        assertThat(finished).containsExactly("2026-11-21_14-03-59_sys007_000001.ulg 10");
    }

    @Test
    void givesNamesWithoutTimeATime() {
        assertThat(LogName.lacksTime("0000-00-00_00-00-00_sys007_000041.ulg.part"))
                .isTrue();
        assertThat(LogName.lacksTime(STEM + "000042.ulg")).isFalse();
        assertThat(LogName.lacksTime("0000-00-00_00-00-00_notes.txt")).isFalse();
        assertThat(LogName.withTime("0000-00-00_00-00-00_sys007_000041.ulg.part", BEGIN_EPOCH_MS))
                .isEqualTo("2026-11-21_14-03-59_sys007_000041.ulg.part");
        assertThatThrownBy(() -> LogName.withTime("notes.txt", BEGIN_EPOCH_MS)).hasMessageContaining("notes.txt");
    }

    @Test
    void aFailedForceIsFinal() throws IOException {
        LogFile file = store.create(1);
        disk.fail(Operation.FORCE, count -> count == 0);
        append(file, 150);

        flushAfter(file, DURABILITY.flushAgeNs());
        assertThat(file.failure()).isEqualTo("force: fake FORCE failure 0");
        append(file, 150);
        store.finish(file);
        keeper.doWork();

        assertThat(disk.count(Operation.FORCE)).isEqualTo(1);
        assertThat(disk.storedNames()).containsExactly(STEM + "000001.ulg");
    }

    @Test
    void finishesAFileForcedAndUnderItsFinalName() throws IOException {
        LogFile file = store.create(1);
        append(file, 130);

        store.finish(file);
        assertThat(disk.storedNames()).containsExactly(STEM + "000001.ulg.part");
        keeper.onClose();

        assertThat(disk.bytes(STEM + "000001.ulg")).isEqualTo(pattern(130));
        assertThat(disk.count(Operation.FORCE)).isEqualTo(1);
        assertThat(finished).containsExactly(STEM + "000001.ulg 130");
    }

    @Test
    void keepsTheUnfinishedNameWhenRenamingFails() throws IOException {
        disk.fail(Operation.RENAME, count -> true);
        disk.fail(Operation.CLOSE, count -> true);
        LogFile file = store.create(1);
        append(file, 10);

        store.finish(file);
        keeper.doWork();

        assertThat(disk.storedNames()).containsExactly(STEM + "000001.ulg.part");
        assertThat(finished).isEmpty();
    }

    @Test
    void filesOfOneLogShareTheFirstOnesNumber() throws IOException {
        LogName.LogNumber flight = new LogName.LogNumber();
        store.create(1, LogKind.BIN, flight);
        store.create(1);
        store.create(1, LogKind.ULG, flight);
        LogName.LogNumber resumed = new LogName.LogNumber();
        resumed.resume(STEM + "000001_000003.ulg.part");
        store.create(1, LogKind.ULG, resumed);

        assertThat(disk.storedNames())
                .containsExactlyInAnyOrder(
                        STEM + "000001_000003.ulg.part",
                        STEM + "000001_000004.ulg.part",
                        STEM + "000001.bin.part",
                        STEM + "000002.ulg.part");
        assertThat(LogName.counter(STEM + "000001_000003.ulg")).hasValue(3);
        assertThat(LogName.unfinishedStem(STEM + "000001_000003.ulg.part")).contains(STEM + "000001_000003");
        assertThat(LogName.systemIdOf(STEM + "000001_000003.ulg")).isEqualTo(1);
        assertThat(LogName.withTime("0000-00-00_00-00-00_sys001_000001_000003.ulg", BEGIN_EPOCH_MS))
                .isEqualTo(STEM + "000001_000003.ulg");
        assertThat(StoredName.parse(STEM + "000001_000003.ulg.keep")).hasValueSatisfying(name -> {
            assertThat(name.log()).isEqualTo(1);
            assertThat(name.counter()).isEqualTo(3);
            assertThat(name.kind()).isEqualTo(StoredName.Kind.KEEP_MARK);
        });
    }

    @Test
    void recognisesOnlyItsOwnNames() {
        assertThat(LogName.counter(STEM + "000042.ulg")).hasValue(42);
        assertThat(LogName.counter(STEM + "000042.ulg.part")).hasValue(42);
        assertThat(LogName.counter(LogName.stem(BEGIN_EPOCH_MS, 1, 1_000_000) + ".ulg"))
                .hasValue(1_000_000);
        assertThat(LogName.counter(STEM + "42.ulg")).isEmpty();
        assertThat(LogName.counter(STEM + "000042.txt")).isEmpty();
        assertThat(LogName.counter(STEM + "9999999999999999999.ulg")).isEmpty();
        assertThat(LogName.counter("")).isEmpty();
    }

    @Test
    void logsOfThisComputerAloneAreNamedSo() {
        String stem = LogName.stem(BEGIN_EPOCH_MS, LogName.NO_SYSTEM, 42);

        assertThat(stem).endsWith("_local_000042");
        assertThat(LogName.systemIdOf(stem + ".ulg")).isEqualTo(LogName.NO_SYSTEM);
        assertThat(LogName.unfinishedStem(stem + ".ulg.part")).contains(stem);
        assertThat(LogName.counter(stem + ".ulg")).hasValue(42);
        assertThat(LogName.withTime("0000-00-00_00-00-00_local_000042.ulg", BEGIN_EPOCH_MS))
                .isEqualTo(stem + ".ulg");
        assertThat(StoredName.parse(stem + ".ulg")).hasValueSatisfying(name -> {
            assertThat(name.systemId()).isEqualTo(LogName.NO_SYSTEM);
            assertThat(name.counter()).isEqualTo(42);
        });
        assertThat(StoredName.parse(stem + ".ulg.keep"))
                .hasValueSatisfying(name -> assertThat(name.kind()).isEqualTo(StoredName.Kind.KEEP_MARK));
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> new StoreSettings(0, DURABILITY)).hasMessageContaining("batch of 0 bytes");
        assertThatThrownBy(() -> StoreSettings.Durability.ofMs(49)).hasMessageContaining("49000000 ns");
        assertThatThrownBy(() -> new StoreSettings.RotationPolicy(-1, 0)).hasMessageContaining("-1 bytes");
    }

    private void flushAfter(LogFile file, long passedNs) {
        nowNs += passedNs;
        file.flushIfDue(nowNs);
        keeper.doWork();
    }

    private void append(LogFile file, int length) {
        file.append(new UnsafeBuffer(pattern(length)), 0, length, nowNs);
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 7);
        }
        return bytes;
    }
}
