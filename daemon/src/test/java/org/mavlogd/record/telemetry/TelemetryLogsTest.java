package org.mavlogd.record.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mavlogd.control.LogLines;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.BytesBlock;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.recovery.ResumableLogs;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/** Telemetry logs beside vehicles' logs, on working and failing disks. */
class TelemetryLogsTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;
    private static final int STATION = 255;

    private final FakeDisk disk = new FakeDisk();
    private long nowNs = 77_000 * MS;
    private long clockStepMs;
    private final Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
    private final Metrics metrics = new Metrics();
    private final Feed feed = new Feed("a", 1 << 17);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed otherFeed = new Feed("b", 1 << 17);
    private final FeedPublisher otherPublisher = otherFeed.publisher();
    private final FrameFeed frames = new FrameFeed("a", true, metrics);
    private final FrameFeed otherFrames = new FrameFeed("b", true, metrics);
    private final Random random = new Random(20);
    private int nextBlock;

    private Recorder recorder(TelemetryLogs.Limits limits) {
        StoreSettings settings = new StoreSettings(4096, StoreSettings.Durability.ofMs(500));
        LogStore store = new LogStore(disk, this::epochMs, settings, keeper);
        return new Recorder(
                () -> nowNs,
                this::epochMs,
                store,
                metrics,
                new RecordSettings(
                        "tester 1.0",
                        Map.of(),
                        RecordSettings.Merge.DEFAULT,
                        RecordSettings.Standalone.OFF,
                        RecordSettings.BlockFiles.VERBATIM,
                        limits,
                        Map.of(),
                        MemoryBudget.ofHeap()),
                new Recorder.Feeds(
                        List.of(feed, otherFeed), List.of(), List.of(frames, otherFrames), ResumableLogs.empty()));
    }

    private long epochMs() {
        return EPOCH_MS + clockStepMs + nowNs / MS;
    }

    @Test
    void holdsEachFrameAsItCameBehindItsTime() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            byte[] frame = frame(i % 3 == 0 ? STATION : 1);
            hear(frames, frame);
            expected.writeBytes(ByteBuffer.allocate(8).putLong(epochMs() * 1000).array());
            expected.writeBytes(frame);
            nowNs += MS;
            if (random.nextInt(5) == 0) {
                recorder.doWork();
            }
        }
        end(recorder, publisher, 1);

        assertThat(names())
                .containsExactlyInAnyOrder(
                        "2026-09-21_14-14-37_sys001_000001.bin", "2026-09-21_14-14-37_sys001_000001_000002.tlog");
        assertThat(telemetry()).containsExactly(expected.toByteArray());
        assertThat(metrics.scrape()).contains("mavlogd_tlog_frames_total 500.0");
    }

    /**
     * Two vehicles on two links that forward: each log gets its vehicle's frames from the vehicle's own link, and both
     * get the frames of other components.
     */
    @Test
    void putsFramesWhereTheyBelong() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        begin(recorder, otherPublisher, 2);
        byte[] first = frame(1);
        byte[] second = frame(2);
        byte[] station = frame(STATION);
        byte[] echo = frame(1);
        byte[] camera = frame(1);
        camera[6] = 100; // of the vehicle's system, like cameras, gimbals and companion programs
        hear(frames, first);
        hear(otherFrames, second);
        pass(recorder, 1);
        hear(otherFrames, station);
        hear(otherFrames, echo); // of vehicle 1, which the other link records
        hear(otherFrames, camera);
        pass(recorder, 1);
        end(recorder, publisher, 1);
        end(recorder, otherPublisher, 2);

        Map<String, byte[]> files = disk.contents();
        assertThat(without(files, "sys001", 3)).containsExactly(first, station, camera);
        assertThat(without(files, "sys002", 2)).containsExactly(second, station);
    }

    @Test
    void continuesInANextFileAndStopsAtItsLimit() {
        Recorder recorder = recorder(new TelemetryLogs.Limits(2000, 5000));
        begin(recorder, publisher, 1);
        for (int i = 0; i < 400; i++) {
            hear(frames, frame(1));
            pass(recorder, 1);
        }
        RecordingStatus status = recorder.statuses().get(1);
        end(recorder, publisher, 1);

        assertThat(status.kind()).isEqualTo(LogKind.TLOG);
        assertThat(status.problem()).contains("[tlog] max_mib");
        assertThat(telemetry()).hasSizeBetween(3, 4).allSatisfy(file -> {
            assertThat(file).hasSizeLessThanOrEqualTo(2000);
            assertThat(hasCompleteRecords(file)).isTrue();
        });
        assertThat(telemetry().stream().mapToInt(file -> file.length).sum()).isBetween(4700, 5000);
        double stored = metric("mavlogd_tlog_frames_total");
        assertThat(stored + metric("mavlogd_tlog_lost_frames_total{cause=\"limit\",link=\"\"}"))
                .isEqualTo(400);
        assertThat(bytesOf(".bin")).hasSize(nextBlock * BlockView.DATA_LENGTH);
    }

    @Test
    void aDiskThatRefusesCostsFramesThatAreCounted() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        disk.fail(FakeDisk.Operation.CREATE, n -> n >= 1 && n < 3);
        int heard = 0;
        for (int i = 0; i < 100; i++) {
            hear(frames, frame(1));
            heard++;
            pass(recorder, 100);
        }
        end(recorder, publisher, 1);

        double lost = metric("mavlogd_tlog_lost_frames_total{cause=\"disk\",link=\"\"}");
        assertThat(lost).isBetween(10.0, 60.0);
        assertThat(metric("mavlogd_tlog_frames_total") + lost).isEqualTo(heard);
        assertThat(telemetry())
                .allSatisfy(file -> assertThat(hasCompleteRecords(file)).isTrue());
    }

    /** The recorder stalls: frames beyond the ring's size are counted, and those in the ring stay in order. */
    @Test
    void aFullRingCostsTheNewestFrames() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        for (int i = 0; i < 20_000; i++) {
            hear(frames, frame(1));
        }
        end(recorder, publisher, 1);

        double lost = metric("mavlogd_tlog_lost_frames_total{cause=\"ring_full\",link=\"a\"}");
        assertThat(lost).isPositive();
        assertThat(metric("mavlogd_tlog_frames_total") + lost).isEqualTo(20_000);
    }

    /** At the limit a short frame would still fit, but would come after frames that are missing. */
    @Test
    void writesNothingAfterTheFirstFrameBeyondItsLimit() {
        Recorder recorder = recorder(new TelemetryLogs.Limits(100_000, 8 + 12 + 200 + 8 + 12 + 100));
        begin(recorder, publisher, 1);
        byte[] first = frame(1, MessageIds.HEARTBEAT, filled(200));
        for (byte[] frame : List.of(first, frame(1, MessageIds.HEARTBEAT, filled(150)), frame(1), frame(1))) {
            hear(frames, frame);
            pass(recorder, 1);
        }
        end(recorder, publisher, 1);

        assertThat(without(disk.contents(), "sys001", 1)).containsExactly(first);
        assertThat(telemetry()).hasSize(1);
        assertThat(metric("mavlogd_tlog_lost_frames_total{cause=\"limit\",link=\"\"}"))
                .isEqualTo(3);
    }

    @Test
    void framesThatTheDiskRefusedToTakeAreNotCountedAsWritten() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        for (int i = 0; i < 300; i++) {
            hear(frames, frame(1));
            pass(recorder, 10);
            if (i == 100) {
                failNextWrite();
            }
        }
        end(recorder, publisher, 1);

        int inFiles = telemetry().stream()
                .mapToInt(TelemetryLogsTest::completeRecords)
                .sum();
        // The write that failed may have taken some of its frames.
        double stored = metric("mavlogd_tlog_frames_total");
        assertThat(stored).isBetween(100.0, (double) inFiles);
        assertThat(metric("mavlogd_tlog_lost_frames_total{cause=\"disk\",link=\"\"}"))
                .isEqualTo(300 - stored);
    }

    @Test
    void aFailureAtTheEndIsReported() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        hear(frames, frame(1));
        pass(recorder, 10);
        try (LogLines logged = new LogLines(TelemetryLog.class)) {
            int written = disk.count(FakeDisk.Operation.WRITE);
            disk.fail(FakeDisk.Operation.WRITE, n -> n >= written);
            end(recorder, publisher, 1);
            assertThat(logged.all())
                    .singleElement()
                    .asString()
                    .contains(".tlog: write: ")
                    .endsWith("; its end is missing");
        }
    }

    /** A disk that fails once an hour costs a second each time, not half a minute. */
    @Test
    void anErrorLongAgoDoesNotDelayTheNextFile() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        int errors = 8;
        for (int error = 0; error < errors; error++) {
            for (int i = 0; i < 600; i++) {
                hear(frames, frame(1));
                pass(recorder, 100);
            }
            failNextWrite();
        }
        end(recorder, publisher, 1);

        assertThat(metric("mavlogd_tlog_lost_frames_total{cause=\"disk\",link=\"\"}"))
                .isBetween(10.0, errors * 20.0);
    }

    /** The recorder waited for a disk, while the rings of both links filled. */
    @Test
    void framesOfSeveralLinksStayInTheOrderOfTheirTimes() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        for (int i = 0; i < 600; i++) {
            hear(i % 2 == 0 ? frames : otherFrames, frame(i % 2 == 0 ? 1 : STATION));
            nowNs += 5 * MS;
        }
        end(recorder, publisher, 1);

        ByteBuffer file = ByteBuffer.wrap(telemetry().get(0));
        int count = 0;
        long latestUs = 0;
        while (file.hasRemaining()) {
            long timeUs = file.getLong();
            assertThat(timeUs).isGreaterThan(latestUs - 50_000);
            latestUs = Math.max(latestUs, timeUs);
            file.position(file.position() + 12 + (file.get(file.position() + 1) & 0xFF));
            count++;
        }
        assertThat(count).isEqualTo(600);
    }

    @Test
    void roundsThatTakeLongCostNoFrames() {
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 500; i++) {
                hear(frames, frame(1));
                nowNs += MS;
            }
            recorder.doWork();
            keeper.doWork();
        }
        end(recorder, publisher, 1);

        assertThat(metric("mavlogd_tlog_frames_total")).isEqualTo(200 * 500);
    }

    @Test
    void theClockThatWasSetMeanwhileIsSeenInTimesAndName() {
        clockStepMs = -EPOCH_MS; // 1970
        Recorder recorder = recorder(TelemetryLogs.Limits.DEFAULT);
        begin(recorder, publisher, 1);
        hear(frames, frame(1));
        pass(recorder, 300);
        clockStepMs = 0;
        pass(recorder, 300);
        hear(frames, frame(1));
        long secondUs = epochMs() * 1000;
        end(recorder, publisher, 1);

        byte[] file = telemetry().get(0);
        int length = 8 + 12 + (file[9] & 0xFF);
        assertThat(ByteBuffer.wrap(file).getLong()).isBetween(70_000_000L, 80_000_000L);
        assertThat(ByteBuffer.wrap(file, length, 8).getLong()).isEqualTo(secondUs);
        assertThat(names()).anyMatch(name -> name.matches("2026-09-21_14-1.*\\.tlog"));
    }

    private void begin(Recorder recorder, FeedPublisher to, int systemId) {
        pass(recorder, 1);
        assertThat(to.blocksBegin(systemId, systemId, 155, nowNs)).isTrue();
        block(to, systemId);
        pass(recorder, 300);
    }

    private void end(Recorder recorder, FeedPublisher from, int systemId) {
        pass(recorder, 1);
        from.sessionEnd(systemId, SessionEnd.STOPPED, 0, nowNs);
        pass(recorder, 300);
        if (recorder.statuses().isEmpty()) {
            recorder.onClose();
            keeper.onClose();
        }
    }

    private void pass(Recorder recorder, long ms) {
        nowNs += ms * MS;
        recorder.doWork();
        recorder.doWork();
        keeper.doWork();
    }

    private void block(FeedPublisher to, int session) {
        byte[] bytes = new byte[BlockView.DATA_LENGTH];
        assertThat(to.block(session, new BytesBlock(0, bytes), nowNs)).isTrue();
        nextBlock = 1;
    }

    private byte[] frame(int systemId) {
        byte[] payload = new byte[1 + random.nextInt(30)];
        random.nextBytes(payload);
        payload[payload.length - 1] = 1; // no trailing zeros
        return frame(systemId, MessageIds.HEARTBEAT, payload);
    }

    private static byte[] frame(int systemId, int messageId, byte[] payload) {
        byte[] target = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(1).encode(systemId, messageId, payload, payload.length, target, 0);
        return Arrays.copyOf(target, length);
    }

    private void hear(FrameFeed by, byte[] frame) {
        int at = by.claim(frame.length, nowNs, nowNs);
        if (at >= 0) {
            by.buffer().putBytes(at, frame);
            by.commit();
        }
    }

    private List<String> names() {
        return List.copyOf(disk.contents().keySet());
    }

    private List<byte[]> telemetry() {
        return disk.contents().entrySet().stream()
                .filter(file -> file.getKey().endsWith(".tlog"))
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    private byte[] bytesOf(String suffix) {
        return disk.contents().entrySet().stream()
                .filter(file -> file.getKey().endsWith(suffix))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private static List<byte[]> without(Map<String, byte[]> files, String vehicle, int count) {
        byte[] log = files.entrySet().stream()
                .filter(file -> file.getKey().contains(vehicle) && file.getKey().endsWith(".tlog"))
                .map(Map.Entry::getValue)
                .collect(Collectors.toList())
                .get(0);
        ByteBuffer bytes = ByteBuffer.wrap(log);
        byte[][] frames = new byte[count][];
        for (int i = 0; i < count; i++) {
            bytes.getLong();
            frames[i] = new byte[12 + (bytes.get(bytes.position() + 1) & 0xFF)];
            bytes.get(frames[i]);
        }
        assertThat(bytes.hasRemaining()).isFalse();
        return List.of(frames);
    }

    private static boolean hasCompleteRecords(byte[] file) {
        int at = 0;
        while (at + 20 <= file.length) {
            at += 8 + 12 + (file[at + 9] & 0xFF);
        }
        return at == file.length;
    }

    private static int completeRecords(byte[] file) {
        int records = 0;
        for (int at = 0; at + 20 <= file.length; at += 20 + (file[at + 9] & 0xFF)) {
            records += at + 20 + (file[at + 9] & 0xFF) <= file.length ? 1 : 0;
        }
        return records;
    }

    private void failNextWrite() {
        int next = disk.count(FakeDisk.Operation.WRITE);
        disk.fail(FakeDisk.Operation.WRITE, n -> n == next);
    }

    private static byte[] filled(int length) {
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) 7);
        return payload;
    }

    private double metric(String name) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
