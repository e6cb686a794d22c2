package org.mavlogd.record.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mavlogd.contain.Thrown;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameFeed;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.mavlink.FrameEncoder;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.BytesBlock;
import org.mavlogd.record.Recorder;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/** Errors of telemetry logs do not reach the recorder's thread, whichever of their methods they come from. */
class TelemetryContainmentTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long EPOCH_MS = 1_790_000_000_000L;

    /** What throws, and from which method of the telemetry logs it then escapes if nothing contains it. */
    private enum Fault {
        /** Creating a file: {@code work}. */
        CREATE,
        /** Writing a file: {@code work}, and {@code close}. */
        WRITE,
        /** The computer's clock: {@code onRecordings}. */
        CLOCK,
        /** The list of statuses: {@code addStatuses}. */
        STATUSES
    }

    private @Nullable Fault fault;
    private Supplier<Throwable> error = IllegalStateException::new;
    private final FakeDisk disk = new FakeDisk().seenThrough(real -> faulty(Disk.class, real));
    private long nowNs = 77_000 * MS;
    private final Keeper keeper = new Keeper(disk.seen(), () -> nowNs, (name, bytes) -> {});
    private final Metrics metrics = new Metrics(() -> nowNs);
    private final LogStore store = new LogStore(
            disk.seen(),
            () -> EPOCH_MS + nowNs / MS,
            new StoreSettings(4096, StoreSettings.Durability.ofMs(500)),
            keeper);
    private final Feed feed = new Feed("a", 1 << 17);
    private final FeedPublisher publisher = feed.publisher();
    private final Recorder recorder =
            new Recorder(() -> nowNs, () -> EPOCH_MS + nowNs / MS, store, metrics, "tester", List.of(feed));
    private final FrameFeed frames = new FrameFeed("a", false, metrics);
    private final TelemetryLogs telemetry = new TelemetryLogs(
            () -> nowNs, this::epochMs, store, TelemetryLogs.Limits.DEFAULT, List.of(frames), metrics);

    private long epochMs() {
        if (fault == Fault.CLOCK) {
            throw Thrown.<RuntimeException>sneak(error.get());
        }
        return EPOCH_MS + nowNs / MS;
    }

    /** Throws from files of telemetry only. */
    private <T> T faulty(Class<T> type, T real) {
        return type.cast(java.lang.reflect.Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    boolean isTelemetry =
                            arguments != null && String.valueOf(arguments[0]).contains(".tlog");
                    boolean isCreate = method.getName().equals("create");
                    if (fault == Fault.CREATE && isCreate && isTelemetry) {
                        throw error.get();
                    }
                    if (fault == Fault.WRITE && method.getName().equals("write") && type == Disk.Output.class) {
                        throw error.get();
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        return isCreate && isTelemetry ? faulty(Disk.Output.class, (Disk.Output) result) : result;
                    } catch (java.lang.reflect.InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Stream<Arguments> faults() {
        return Arrays.stream(Fault.values())
                .flatMap(fault -> Thrown.CONTAINABLE.stream().map(error -> Arguments.of(fault, error)));
    }

    private List<RecordingStatus> statuses() {
        List<RecordingStatus> statuses = new ArrayList<>(recorder.statuses());
        return fault != Fault.STATUSES
                ? statuses
                : new ArrayList<>(statuses) {
                    @Override
                    public void add(int index, RecordingStatus status) {
                        throw Thrown.<RuntimeException>sneak(error.get());
                    }
                };
    }

    private void pass(long ms) {
        nowNs += ms * MS;
        recorder.doWork();
        telemetry.work(nowNs);
        List<RecordingStatus> statuses = statuses();
        telemetry.onRecordings(statuses, nowNs);
        telemetry.addStatuses(statuses, nowNs);
        keeper.doWork();
    }

    private void begin() {
        pass(1);
        assertThat(publisher.blocksBegin(1, 1, 155, nowNs)).isTrue();
        assertThat(publisher.block(1, new BytesBlock(0, new byte[BlockView.DATA_LENGTH]), nowNs))
                .isTrue();
        pass(300);
        pass(300);
    }

    private void hear() {
        byte[] target = new byte[FrameEncoder.MAX_FRAME_LENGTH];
        int length = new FrameEncoder(1).encode(1, MessageIds.HEARTBEAT, new byte[] {1}, 1, target, 0);
        int at = frames.claim(length, nowNs, nowNs);
        if (at >= 0) {
            frames.buffer().putBytes(at, target, 0, length);
            frames.commit();
        }
    }

    private double errors() {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_contained_errors_total{part=\"tlog\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whateverThrowsCostsTelemetryForAMinute(Fault which, Supplier<Throwable> thrown) {
        error = thrown;
        begin();
        fault = which;
        hear();
        pass(300);
        pass(600);

        assertThat(errors()).isPositive();
        assertThat(recorder.statuses()).hasSize(1);

        fault = null;
        pass(TimeUnit.SECONDS.toMillis(61));
        hear();
        pass(300);
        pass(600);
        publisher.sessionEnd(1, SessionEnd.STOPPED, 0, nowNs);
        pass(300);
        telemetry.close(nowNs);
        recorder.onClose();
        keeper.onClose();

        assertThat(disk.contents().keySet()).anyMatch(name -> name.endsWith(".bin"));
        assertThat(disk.contents().keySet()).anyMatch(name -> name.endsWith(".tlog"));
    }

    @Test
    void anErrorAtTheEndLeavesTheRecorderItsEnd() {
        begin();
        hear();
        pass(1);
        fault = Fault.WRITE;
        telemetry.close(nowNs);
        fault = null;
        recorder.onClose();
        keeper.onClose();

        assertThat(errors()).isPositive();
        assertThat(disk.contents().keySet()).anyMatch(name -> name.endsWith(".bin"));
    }
}
