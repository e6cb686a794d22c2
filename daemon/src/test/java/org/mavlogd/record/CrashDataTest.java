package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.dataflash.DataFlashBuilder;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.recovery.HostClock;
import org.mavlogd.recovery.LogRecovery;
import org.mavlogd.recovery.RecoveryCounters;
import org.mavlogd.recovery.Restart;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.store.StoreCounters;
import org.mavlogd.store.StoreSettings;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogAppender;

/** Crash data that the next run appends to logs that no stream continues, of an ArduPilot and of this computer. */
class CrashDataTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final long DEAD_PROCESS = 4711;

    private final FakeDisk disk = new FakeDisk();
    private final Feed feed = new Feed("test", 1 << 17);
    private final FeedPublisher publisher = feed.publisher();
    private final LocalFeed companion = new LocalFeed("companion", 1 << 16);
    private final Metrics metrics = new Metrics();
    private long nowNs = 77_000 * MS;
    private Keeper keeper = keeper(disk, DEAD_PROCESS, CrashReport.Source.NONE);
    private ResumableLogs board = new ResumableLogs();
    private long askedProcess;

    private Keeper keeper(FakeDisk its, long processId, CrashReport.Source crashes) {
        board = new ResumableLogs();
        HostClock clock = new HostClock(() -> nowNs, this::epochMs, "this boot", processId);
        return new Keeper(
                its,
                clock.monotonic(),
                (name, bytes) -> {},
                SpaceLimits.NONE,
                StoreCounters.register(new Metrics()),
                LogRecovery.of(
                        its,
                        new Restart(clock, board, new MemoryBudget(32 << 20), crashes),
                        RecoveryCounters.register(new Metrics())));
    }

    private long epochMs() {
        return EPOCH_MS + nowNs / MS;
    }

    private Recorder recorder() {
        keeper = keeper(disk, DEAD_PROCESS, CrashReport.Source.NONE);
        StoreSettings settings =
                new StoreSettings(4096, StoreSettings.Durability.ofMs(500), StoreSettings.RotationPolicy.NEVER);
        return new Recorder(
                () -> nowNs,
                this::epochMs,
                new LogStore(disk, this::epochMs, settings, keeper),
                metrics,
                new RecordSettings(
                        "tester 1.0",
                        Map.of(),
                        RecordSettings.Merge.DEFAULT,
                        new RecordSettings.Standalone(true, 0, ZoneOffset.UTC),
                        RecordSettings.BlockFiles.BOTH),
                new Recorder.Feeds(List.of(feed), List.of(companion), List.of(), board));
    }

    @Test
    void anArduPilotsULogGetsTheCrashDataOfTheDeadRun() {
        Recorder recorder = recorder();
        byte[] log = log();
        assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
        for (int at = 0; at + BlockView.DATA_LENGTH <= log.length; at += BlockView.DATA_LENGTH) {
            block(at / BlockView.DATA_LENGTH, Arrays.copyOfRange(log, at, at + BlockView.DATA_LENGTH));
            work(recorder, 20);
        }

        String ulog = afterTheCrash("_sys001_000001_000002.ulg");

        assertThat(ulog).contains("IMU:uint64_t timestamp");
    }

    @Test
    void theLogOfThisComputerAloneGetsTheCrashDataOfTheDeadRun() {
        Recorder recorder = recorder();
        var local = companion.publisher();
        for (int i = 0; i < 100; i++) {
            local.text(LogLevel.INFO, 3, nowNs, "text " + i);
            work(recorder, 20);
        }

        assertThat(afterTheCrash("_local_000001.ulg")).contains("text 50");
    }

    /** Ends without closing anything; the next run reads the disk and the crash data of the previous run. */
    private String afterTheCrash(String nameEnd) {
        FakeDisk left = disk.afterCrash();
        assertThat(left.storedNames()).anyMatch(name -> name.endsWith(nameEnd + ".part"));
        long diedMs = epochMs();
        nowNs += 700_000 * MS; // no stream can resume any more
        Keeper next = keeper(left, DEAD_PROCESS + 1, (process, sinceMs) -> {
            askedProcess = process;
            return new CrashReport(
                    "SIGSEGV in the recorder", List.of(new CrashReport.Line(LogLevel.ERROR, diedMs, "last words")));
        });
        for (int i = 0; i < 50; i++) {
            next.doWork();
        }

        assertThat(askedProcess).isEqualTo(DEAD_PROCESS);
        assertThat(left.storedNames()).noneMatch(name -> name.endsWith(".ulg.part"));
        byte[] bytes = left.contents().entrySet().stream()
                .filter(file -> file.getKey().endsWith(nameEnd))
                .findFirst()
                .orElseThrow()
                .getValue();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertThat(text).contains(ULogAppender.CRASH_TEXT_NAME, "SIGSEGV in the recorder", "[mavlogd] last words");
        assertThat(MergedLog.of(bytes).texts()).isNotNull();
        return text;
    }

    private void work(Recorder recorder, long ms) {
        nowNs += ms * MS;
        recorder.doWork();
        keeper.doWork();
    }

    private static byte[] log() {
        DataFlashBuilder log =
                DataFlashBuilder.aLog().fmt(1, "IMU", "QBf", "TimeUS,I,GX").fmtu("IMU", "s#E", "F-0");
        for (int i = 0; i < 4000; i++) {
            log.record("IMU", 5_000_000L + i * 1600L, i % 2, 0.5 * i);
        }
        return log.toByteArray();
    }

    private void block(int number, byte[] bytes) {
        assertThat(publisher.block(1, new BytesBlock(number, bytes), nowNs)).isTrue();
    }
}
