package org.mavlogd.record.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.dataflash.CaptureTruth;
import org.mavlogd.dataflash.Captures;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.dataflash.Mapped;
import org.mavlogd.dataflash.UnitsTruth;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.BytesBlock;
import org.mavlogd.record.MergedLog;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.FakeDisk.Operation;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/**
 * The live ULog of blocks: on failing disks, with types that come late, divided into files, and of streams without
 * data.
 */
class MappedRecordingTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int BATCH_BYTES = 4096;
    private static final int RECORDS = 1500;
    private static final int MS_EACH = 10;

    private final FakeDisk disk = new FakeDisk();
    private final Metrics metrics = new Metrics();
    private final Feed feed = new Feed("test", 1 << 17);
    private final FeedPublisher publisher = feed.publisher();
    private final LocalFeed companion = new LocalFeed("companion", 1 << 16);
    private final LocalPublisher local = companion.publisher();
    private long nowNs = 77_000 * MS;
    private final Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
    private Recorder recorder = recorder(StoreSettings.RotationPolicy.NEVER, RecordSettings.BlockFiles.BOTH);
    private final DataFlashBuilder log = DataFlashBuilder.aLog()
            .fmt(1, "IMU", "QBf", "TimeUS,I,GX")
            .fmtu("IMU", "s#E", "F-0")
            .fmt(2, "PARM", "QNff", "TimeUS,Name,Value,Default")
            .fmt(3, "LATE", "QB", "TimeUS,V")
            .record("PARM", timeUs(0), "SPEED", 3.0, 2.0)
            .record("PARM", timeUs(0), "TURN", 1.5, 1.5);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private boolean begun;
    private int number;
    private int sentOfLog;
    private int skip;

    private Recorder recorder(StoreSettings.RotationPolicy rotation, RecordSettings.BlockFiles files) {
        StoreSettings settings = new StoreSettings(BATCH_BYTES, StoreSettings.Durability.ofMs(500), rotation);
        LogStore store = new LogStore(disk, () -> EPOCH_MS + nowNs / MS, settings, keeper);
        return new Recorder(
                () -> nowNs,
                () -> EPOCH_MS + nowNs / MS,
                store,
                metrics,
                new RecordSettings(
                        "tester 1.0", Map.of(), RecordSettings.Merge.DEFAULT, RecordSettings.Standalone.OFF, files),
                new Recorder.Feeds(List.of(feed), List.of(companion)));
    }

    @Test
    void hasWhatTheLogHasAndSaysWhatItIs() {
        fly(0, RECORDS);
        end();

        Mapped log = onlyULog();
        assertThat(log.sampleCounts()).containsEntry("IMU:0", RECORDS / 2L).containsEntry("IMU:1", RECORDS / 2L);
        assertThat(log.parameters()).containsOnly(Map.entry("SPEED", 3.0), Map.entry("TURN", 1.5));
        assertThat(log.formatNames()).contains("IMU", "PARM", "LATE");
        assertThat(log.infoNames()).contains("recorder", "recorder_start_utc_us", "time_ref_utc");
        assertThat(log.dropouts()).isEmpty();
        assertThat(binaries()).singleElement().isEqualTo(sent.toByteArray());
        // Both are named after the log's start.
        assertThat(disk.storedNames())
                .hasSize(2)
                .extracting(file -> file.substring(0, 19))
                .containsOnly("2026-09-21_14-14-37");
    }

    /** The byte stream has no gap, yet most messages are missing. */
    @Test
    void messagesThatTheVehicleDropsItselfAreCountedMarkedAndReported() {
        log.fmt(4, "DMS", "QII", "TimeUS,N,Dp");
        for (int second = 0; second < 20; second++) {
            fly(second * 100, second * 100 + 100);
            log.record("DMS", timeUs(second * 100 + 99), second, 300 * second);
        }

        RecordingStatus shown = recorder.statuses().stream()
                .filter(status -> status.kind() == LogKind.ULG)
                .findFirst()
                .orElseThrow();
        assertThat(shown.problem())
                .matches("7[45] % of the log was lost in 10 s, most of it by the vehicle itself.*")
                .contains("LOG_BITMASK", "LOG_MAV_BUFSIZE");
        end();
        assertThat(metrics.total("record.vehicle.dropped.messages")).isEqualTo(300 * 19);
        assertThat(onlyULog().dropouts().stream().mapToInt(Integer::intValue).sum())
                .isBetween(19 * 730, 19 * 770);
    }

    /** The link fails between a type and its units: the wait for definitions does not count this time. */
    @Test
    void unitsThatALinkOutageHoldsBackAreWaitedFor() {
        log.fmt(4, "GYR", "QBf", "TimeUS,I,GX");
        fly(0, 40);
        for (int i = 0; i < 60; i++) {
            nowNs += 100 * MS;
            work();
        }
        log.fmtu("GYR", "s#E", "F-0");
        turn(40, 240);
        fly(240, RECORDS);
        end();

        Mapped file = onlyULog();
        assertThat(file.sampleCounts()).containsEntry("GYR:0", 100L).containsEntry("GYR:1", 100L);
        assertThat(file.fieldUnits()).contains("GYR:I=instance,GX=rad/s");
        assertThat(file.parameters()).hasSize(2);
    }

    /** Units that were missing at the log's start apply from where they come. */
    @Test
    void unitsThatComeBehindTheBeginHoldFromThere() {
        log.fmt(4, "GYR", "QBf", "TimeUS,I,GX").record("GYR", timeUs(0), 1, 0.5);
        fly(0, RECORDS);
        log.fmtu("GYR", "s#E", "F-0");
        turn(RECORDS, RECORDS + 200);
        fly(RECORDS + 200, RECORDS + 300);
        end();

        Mapped file = onlyULog();
        assertThat(file.sampleCounts()).containsEntry("GYR:0", 101L).containsEntry("GYR:1", 100L);
        assertThat(file.fieldUnits()).contains("GYR:I=instance,GX=rad/s");
        assertThat(lost()).isZero();
    }

    private void turn(int first, int end) {
        for (int i = first; i < end; i++) {
            log.record("GYR", timeUs(i), i % 2, 0.1 * i);
            fly(i, i + 1);
        }
    }

    static List<String> captures() {
        return Captures.names();
    }

    /** Every real log, block by block, compared with an established reader. */
    @ParameterizedTest
    @MethodSource("captures")
    void hasEveryRecordOfARealLog(String name) {
        byte[] real = Captures.log(name);
        for (int at = 0; at + BlockView.DATA_LENGTH <= real.length; at += BlockView.DATA_LENGTH) {
            nowNs += 4 * MS;
            block(Arrays.copyOfRange(real, at, at + BlockView.DATA_LENGTH));
        }
        publisher.sessionEnd(1, SessionEnd.STOPPED, 0, nowNs);
        work();
        recorder.onClose();
        keeper.onClose();

        Mapped live = onlyULog();
        if (real.length % BlockView.DATA_LENGTH == 0) {
            CaptureTruth.checkCounts(name, live);
        }
        CaptureTruth.checkRows(name, live);
        UnitsTruth.check(real, live);
        assertThat(live.infoNames()).contains("sys_name", "ver_sw", "ver_sw_release", "ver_hw");
    }

    /** Whatever the blocks contain, the conversion continues, and its output can be read. */
    @Test
    void damagedLogsAreMappedWithoutAMistake() {
        byte[] real = Captures.log("s7_mavlink1.mav.bin");
        for (int seed = 0; seed < 40; seed++) {
            MappedRecordingTest run = new MappedRecordingTest();
            Random random = new Random(seed);
            byte[] bytes = Arrays.copyOfRange(real, 0, 120_000 + 200 * random.nextInt(500));
            for (int i = random.nextInt(400); i > 0; i--) {
                // Many among the definitions, where damage has the most effect.
                bytes[random.nextInt(random.nextBoolean() ? 70_000 : bytes.length)] = (byte) random.nextInt(256);
            }
            for (int at = 0; at + BlockView.DATA_LENGTH <= bytes.length; at += BlockView.DATA_LENGTH) {
                run.nowNs += 10 * MS;
                if (random.nextInt(300) == 0) {
                    run.number += random.nextInt(20); // these blocks never arrive
                }
                run.block(Arrays.copyOfRange(bytes, at, at + BlockView.DATA_LENGTH));
            }
            run.publisher.sessionEnd(1, SessionEnd.STOPPED, 0, run.nowNs);
            run.work();
            run.recorder.onClose();
            run.keeper.onClose();

            assertThat(run.metrics.scrape())
                    .as("seed %d", seed)
                    .contains("mavlogd_contained_errors_total{part=\"mapping.test\"} 0.0");
            assertThat(run.ulogs())
                    .as("seed %d", seed)
                    .isNotEmpty()
                    .allSatisfy(log -> assertThat(log.sampleCount()).isPositive());
        }
    }

    @Test
    void aLogThatEndsSoonIsThereAllTheSame() {
        fly(0, 20);
        end();

        assertThat(onlyULog().rows("IMU")).hasSize(20);
    }

    @Test
    void noULogIsMadeWithoutAVerbatimFileEither() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
        fly(0, RECORDS);
        end();

        assertThat(onlyULog().rows("IMU")).hasSize(RECORDS);
        assertThat(binaries()).isEmpty();
    }

    /** After a flight the vehicle starts a log without flight data until it is armed again. */
    @Test
    void whereFlightsAreWantedALogThatHasOnlyItsStartIsNotKept() {
        for (SessionEnd reason : List.of(SessionEnd.STOPPED, SessionEnd.LEFT, SessionEnd.VEHICLE_SILENT)) {
            for (long settleMs : List.of(0L, 40_000L)) {
                MappedRecordingTest run = new MappedRecordingTest();
                run.recorder = run.recorder(
                        StoreSettings.RotationPolicy.NEVER, RecordSettings.BlockFiles.BOTH.onlyArmed(true));
                run.start(settleMs);
                run.endAsItIs(reason);

                assertThat(run.disk.storedNames())
                        .as("%s after %d ms", reason, settleMs)
                        .noneMatch(name -> name.endsWith(".ulg") || name.endsWith(".bin"));
            }
        }
    }

    @Test
    void aLogThatHasOnlyItsStartIsKeptIfItIsWanted() {
        start(40_000);
        end();

        assertThat(onlyULog().parameters()).hasSize(2);
        assertThat(binaries()).hasSize(1);
    }

    @Test
    void aLogInWhichTheVehicleWasArmedIsKeptWhateverIsInIt() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, RecordSettings.BlockFiles.BOTH.onlyArmed(true));
        start(1000);
        assertThat(publisher.vehicleEvent(1, 1, VehicleEvent.ARMED, 0, nowNs)).isTrue();
        work();
        end();

        assertThat(onlyULog().parameters()).hasSize(2);
        assertThat(binaries()).hasSize(1);
    }

    @Test
    void aLogWithMoreThanItsStartIsKeptAlthoughTheVehicleWasNotArmed() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, RecordSettings.BlockFiles.BOTH.onlyArmed(true));
        fly(0, 20);
        end();

        assertThat(onlyULog().rows("IMU")).hasSize(20);
        assertThat(binaries()).hasSize(1);
    }

    @Test
    void aLogOfWhichNothingIsKnownIsKept() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, RecordSettings.BlockFiles.BOTH.onlyArmed(true));
        for (int i = 0; i < 100; i++) {
            block(new byte[BlockView.DATA_LENGTH]);
        }
        endAsItIs();

        assertThat(binaries()).singleElement().isEqualTo(sent.toByteArray());
    }

    /** Sends the start of the log, then nothing for this time. */
    private void start(long settleMs) {
        for (int i = 0; i < 10; i++) {
            log.record("PARM", timeUs(0), "SPEED", 3.0, 2.0);
        }
        pump();
        for (long ms = 0; ms < settleMs; ms += 100) {
            nowNs += 100 * MS;
            work();
        }
    }

    @Test
    void theVerbatimFileStaysIfTheULogHasNotEverything() {
        for (int n = 0; n < 30; n++) {
            MappedRecordingTest run = new MappedRecordingTest();
            run.recorder =
                    run.recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
            int failing = n;
            run.disk.fail(Operation.WRITE, count -> count == failing);
            run.fly(0, RECORDS);
            run.end();

            long samples = run.files(".ulg").stream()
                    .mapToLong(MappedRecordingTest::samples)
                    .sum();
            boolean isComplete = samples >= RECORDS + 2;
            assertThat(isComplete || !run.binaries().isEmpty())
                    .as("write %d fails: %d samples", n, samples)
                    .isTrue();
            assertThat(run.disk.storedNames()).as("write %d fails", n).noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void theVerbatimFileStaysIfRecordsAreShorterThanTheirDeclaration() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
        log.fmt(4, 20, "BAD", "QQ", "TimeUS,V");
        for (int i = 0; i < RECORDS; i++) {
            log.record("BAD", timeUs(i), i);
            fly(i, i + 1);
        }
        end();

        assertThat(onlyULog().rows("BAD")).isEmpty();
        assertThat(onlyULog().rows("IMU")).hasSize(RECORDS);
        assertThat(binaries()).singleElement().isEqualTo(sent.toByteArray());
        assertThat(lost()).as("discarded bytes").isEqualTo(19.0 * RECORDS);
    }

    @Test
    void theVerbatimFileGoesIfOnlyBlocksAreMissing() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
        fly(0, RECORDS);
        for (int i = 1; i <= 20; i++) {
            skip = i;
            fly(i * RECORDS, (i + 1) * RECORDS);
        }
        end();

        assertThat(onlyULog().dropouts()).hasSize(20);
        assertThat(binaries()).isEmpty();
    }

    private static long samples(byte[] ulog) {
        try {
            return Lenient.of(ulog).samples;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theVerbatimFileStaysIfNothingCanBeMapped() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
        for (int i = 0; i < 100; i++) {
            block(new byte[BlockView.DATA_LENGTH]);
        }
        endAsItIs();

        assertThat(ulogs()).isEmpty();
        assertThat(binaries()).singleElement().isEqualTo(sent.toByteArray());
    }

    /** Otherwise its space would be missing for the files that are wanted. */
    @Test
    void theVerbatimFileThatIsNotWantedGivesItsRoom() {
        recorder = recorder(StoreSettings.RotationPolicy.NEVER, new RecordSettings.BlockFiles(false, true, false));
        fly(0, RECORDS);
        disk.usableBytes(0);
        pass(1000);
        assertThat(disk.storedNames()).noneMatch(name -> name.contains(".bin"));

        disk.usableBytes(Long.MAX_VALUE);
        pass(1000);
        fly(RECORDS, 2 * RECORDS);
        end();

        assertThat(binaries()).isEmpty();
        assertThat(ulogs()).hasSize(2);
        assertThat(times(ulogs(), "IMU")).hasSizeGreaterThan(2 * RECORDS - 200);
    }

    @Test
    void aTypeThatIsDeclaredLateIsInTheNextFile() {
        fly(0, RECORDS);
        log.fmt(9, "NEW", "QB", "TimeUS,V");
        for (int i = RECORDS; i < 2 * RECORDS; i++) {
            log.record("NEW", timeUs(i), i % 100);
            fly(i, i + 1);
        }
        end();

        List<Mapped> files = ulogs();
        assertThat(files).hasSize(2);
        assertThat(files.get(0).formatNames()).doesNotContain("NEW");
        assertThat(files.get(1).formatNames()).contains("NEW", "IMU", "PARM");
        assertThat(files.get(1).rows("NEW")).hasSize(RECORDS);
        assertThat(times(files.get(1), "NEW")).isSorted();
        assertThat(times(files, "IMU")).isEqualTo(imuTimes(0, 2 * RECORDS));
        assertThat(files.get(1).parameters()).hasSize(2);
        assertThat(lost()).isZero();
    }

    @Test
    void aTypeThatIsDeclaredAtTheEndIsNotLost() {
        fly(0, RECORDS);
        log.fmt(9, "NEW", "QB", "TimeUS,V").record("NEW", timeUs(RECORDS), 5);
        fly(RECORDS, RECORDS + 10);
        end();

        assertThat(ulogs()).hasSize(2);
        assertThat(ulogs().get(1).rows("NEW")).hasSize(1);
        assertThat(times(ulogs(), "IMU")).isEqualTo(imuTimes(0, RECORDS + 10));
    }

    @Test
    void aTypeThatIsDeclaredAnewAndAnewGetsFewFiles() {
        fly(0, RECORDS);
        for (int id = 10; id < 60; id++) {
            log.fmt(id, "N" + id, "QB", "TimeUS,V").record("N" + id, timeUs(RECORDS), 5);
            fly(RECORDS + 20 * id, RECORDS + 20 * id + 20);
        }
        end();

        List<Mapped> files = ulogs();
        assertThat(files).hasSizeBetween(2, 4); // in ten seconds
        for (int id = 10; id < 60; id++) {
            assertThat(times(files, "N" + id)).hasSize(1);
        }
        assertThat(lost()).isZero();
    }

    @Test
    void isDividedAsOtherLogsAre() {
        recorder = recorder(new StoreSettings.RotationPolicy(20_000, 0), RecordSettings.BlockFiles.BOTH);
        fly(0, 4 * RECORDS);
        end();

        List<Mapped> files = ulogs();
        assertThat(files).hasSizeGreaterThan(5);
        assertThat(times(files, "IMU")).isEqualTo(imuTimes(0, 4 * RECORDS));
        assertThat(files).allSatisfy(file -> {
            assertThat(file.parameters()).hasSize(2);
            assertThat(file.formatNames()).contains("LATE");
            assertThat(file.dropouts()).isEmpty();
        });
        assertThat(binaries()).singleElement().isEqualTo(sent.toByteArray());
    }

    @Test
    void waitsInBoundedMemoryForALogThatSaysWhatItIs() {
        byte[] nothing = new byte[BlockView.DATA_LENGTH];
        Arrays.fill(nothing, (byte) 7);
        for (int i = 0; i < 3 * LogStart.MAX_BYTES / BlockView.DATA_LENGTH; i++) {
            block(nothing);
        }
        assertThat(disk.storedNames()).noneMatch(name -> name.contains(".ulg"));

        fly(0, RECORDS);
        end();

        assertThat(onlyULog().rows("IMU")).hasSize(RECORDS);
    }

    /** The last record of a log does not wait for data that would confirm it. */
    @Test
    void aLogOfAMomentHasAULogToo() {
        end();

        Mapped file = onlyULog();
        assertThat(file.parameters()).containsOnly(Map.entry("SPEED", 3.0), Map.entry("TURN", 1.5));
        assertThat(binaries()).hasSize(1);
    }

    @Test
    void whatIsNoLogIsNoULog() {
        for (int i = 0; i < 100; i++) {
            block(new byte[BlockView.DATA_LENGTH]);
        }
        endAsItIs();

        assertThat(ulogs()).isEmpty();
        assertThat(binaries()).hasSize(1);
    }

    @Test
    void aHoleIsADropoutOfItsLength() {
        fly(0, RECORDS);
        int hole = 25;
        skip = hole;
        fly(RECORDS, 2 * RECORDS);
        end();

        Mapped file = onlyULog();
        assertThat(file.dropouts()).hasSize(1);
        // A record takes 16 bytes: as many are missing as fit into the gap, and one at each edge.
        long missing = 2L * RECORDS - file.rows("IMU").size();
        assertThat(missing).isBetween(hole * 200L / 16, hole * 200L / 16 + 3);
        assertThat((long) file.dropouts().get(0)).isBetween(missing * MS_EACH, (missing + 2) * MS_EACH);
    }

    /** Whatever operation fails, each file can be read alone, and the next file states how long nothing was stored. */
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"CREATE", "WRITE", "FORCE"})
    void eachFileStandsAloneWhenTheDiskFails(Operation operation) throws IOException {
        for (int n = 0; n < 24; n++) {
            MappedRecordingTest run = new MappedRecordingTest();
            int failing = n;
            run.disk.fail(operation, count -> count == failing);
            run.fly(0, RECORDS);
            run.end();

            List<Long> all = new ArrayList<>();
            int dropouts = 0;
            for (byte[] bytes : run.files(".ulg")) {
                Lenient file = Lenient.of(bytes);
                assertThat(file.samples).as("%s %d", operation, n).isPositive();
                assertThat(file.parameters).isEqualTo(2);
                all.addAll(file.times);
                dropouts += file.dropouts;
            }
            assertThat(all).as("%s %d", operation, n).doesNotHaveDuplicates().isSorted();
            assertThat(imuTimes(0, RECORDS)).containsAll(all);
            boolean isComplete = all.size() == RECORDS;
            assertThat(isComplete || dropouts > 0 || run.lost() > 0)
                    .as("%s %d: %d samples", operation, n, all.size())
                    .isTrue();
            assertThat(all.size()).as("%s %d", operation, n).isGreaterThan(RECORDS / 2);
            long stored =
                    run.binaries().stream().mapToLong(bytes -> bytes.length).sum();
            assertThat(stored).isGreaterThan(run.sent.size() / 2);
        }
    }

    /** Data that may be the last of a drive is forced at once, and so are the vehicle's records of moments later. */
    @ParameterizedTest
    @EnumSource(names = {"ARMED", "DISARMED", "FAILSAFE", "CRITICAL_TEXT"})
    void eventsOfTheVehicleForceBothFiles(VehicleEvent event) {
        fly(0, RECORDS);
        forceAll();
        fly(RECORDS, RECORDS + 20);
        assertThat(unforced(".bin")).isPositive();
        assertThat(unforced(".ulg")).isPositive();

        assertThat(publisher.vehicleEvent(2, 1, event, 0, nowNs)).isTrue();
        work();
        assertThat(unforced(".bin")).as("another vehicle's").isPositive();
        assertThat(publisher.vehicleEvent(1, 1, event, 0, nowNs)).isTrue();
        work();
        assertThat(unforced(".bin")).isZero();
        assertThat(unforced(".ulg")).isZero();

        fly(RECORDS + 20, RECORDS + 40);
        assertThat(unforced(".bin")).isPositive();
        pass(60);
        assertThat(unforced(".bin")).isZero();
        assertThat(unforced(".ulg")).isZero();
    }

    private void forceAll() {
        pass(1000);
        assertThat(unforced(".bin")).isZero();
        assertThat(unforced(".ulg")).isZero();
    }

    private void pass(long ms) {
        for (long passed = 0; passed < ms; passed += 20) {
            nowNs += 20 * MS;
            work();
        }
    }

    /** Bytes that are not forced yet. */
    private int unforced(String kind) {
        String name = disk.storedNames().stream()
                .filter(file -> file.contains(kind))
                .findFirst()
                .orElseThrow();
        int blockBytes = number * BlockView.DATA_LENGTH;
        int all = kind.equals(".bin") ? blockBytes : stored() - blockBytes;
        return all - disk.forcedLength(name);
    }

    /** Bytes that were written to files or are about to be. */
    private int stored() {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_record_stored_bytes_total"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void textsOfThisComputerGoIn() {
        fly(0, RECORDS / 2);
        local.text(LogLevel.WARNING, 3, nowNs, "the rope slips");
        fly(RECORDS / 2, RECORDS);
        end();

        byte[] bytes = files(".ulg").get(0);
        assertThat(MergedLog.of(bytes).texts()).singleElement().satisfies(text -> {
            assertThat(text.text()).isEqualTo("the rope slips");
            // A record is used when the half KiB after it has arrived, which takes this slow stream a third of a
            // second.
            assertThat(text.timeUs()).isBetween(timeUs(RECORDS / 2) - 400_000, timeUs(RECORDS / 2) + 20_000);
        });
    }

    private static long timeUs(int index) {
        return 5_000_000L + index * 1000L * MS_EACH;
    }

    private static List<Long> imuTimes(int first, int end) {
        List<Long> times = new ArrayList<>();
        for (int i = first; i < end; i++) {
            times.add(timeUs(i));
        }
        return times;
    }

    /** Sends records at their pace, from {@code first} to before {@code end}, in blocks when they are full. */
    private void fly(int first, int end) {
        for (int i = first; i < end; i++) {
            log.record("IMU", timeUs(i), i % 2, 0.5 * i);
            if (i % 10 == 9 || i == end - 1) {
                nowNs += Math.min(10L, i + 1L - first) * MS_EACH * MS;
                pump();
                work();
            }
        }
    }

    private void pump() {
        byte[] bytes = log.toByteArray();
        for (; (sentOfLog + 1) * BlockView.DATA_LENGTH <= bytes.length; sentOfLog++) {
            int at = sentOfLog * BlockView.DATA_LENGTH;
            if (skip > 0) {
                skip--;
                number++;
            } else {
                block(Arrays.copyOfRange(bytes, at, at + BlockView.DATA_LENGTH));
            }
        }
    }

    private void block(byte[] bytes) {
        if (!begun) {
            begun = true;
            assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
        }
        sent.writeBytes(bytes);
        assertThat(publisher.block(1, new BytesBlock(number, bytes), nowNs)).isTrue();
        number++;
        work();
    }

    private void work() {
        recorder.doWork();
        keeper.doWork();
    }

    private void end() {
        // Only complete blocks are sent: like every log, it ends within a message.
        for (int i = 0; i < 4; i++) {
            log.fmt(3, "LATE", "QB", "TimeUS,V");
        }
        pump();
        endAsItIs();
    }

    /** Ends without sending the rest of the log. */
    private void endAsItIs() {
        endAsItIs(SessionEnd.STOPPED);
    }

    private void endAsItIs(SessionEnd reason) {
        publisher.sessionEnd(1, reason, 0, nowNs);
        work();
        recorder.onClose();
        keeper.onClose();
    }

    private List<byte[]> files(String kind) {
        return disk.contents().entrySet().stream()
                .filter(file -> file.getKey().endsWith(kind))
                .map(Map.Entry::getValue)
                .toList();
    }

    private List<byte[]> binaries() {
        return files(".bin");
    }

    private List<Mapped> ulogs() {
        return files(".ulg").stream().map(MappedRecordingTest::read).toList();
    }

    private Mapped onlyULog() {
        assertThat(files(".ulg")).hasSize(1);
        return ulogs().get(0);
    }

    private static Mapped read(byte[] ulog) {
        try {
            return Mapped.read(MergedLog.withoutLocal(ulog));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Long> times(Mapped file, String topic) {
        return file.rows(topic).stream()
                .map(row -> (Long) row.getOrDefault("timestamp", -1L))
                .sorted()
                .toList();
    }

    private static List<Long> times(List<Mapped> files, String topic) {
        return files.stream().flatMap(file -> times(file, topic).stream()).toList();
    }

    /** Bytes that were not stored, for any cause. */
    private double lost() {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_record_discarded_bytes_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Accepts a file that is cut at its end, like one that the disk failed. */
    private static final class Lenient implements ULogHandler {
        private final List<Long> times = new ArrayList<>();
        private int parameters;
        private int samples;
        private int dropouts;

        static Lenient of(byte[] bytes) throws IOException {
            Lenient lenient = new Lenient();
            ULogReader reader = new ULogReader(lenient);
            reader.feed(bytes, 0, bytes.length);
            reader.finish();
            return lenient;
        }

        @Override
        public void onSample(SampleView sample) {
            samples++;
            if (sample.topic().name().equals("IMU")) {
                times.add(sample.timestampUs());
            }
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) {
            parameters += change ? 0 : 1;
        }

        @Override
        public void onDropout(int durationMs) {
            dropouts++;
        }
    }
}
