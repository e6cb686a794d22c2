package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameTrail;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.SessionEnd;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.StoreSettings;

/**
 * A recorder with one feed, a disk in memory and a clock that only the test moves; session 1 of vehicle 1 has started.
 */
final class RecordingFixture {
    static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
    static final int SESSION = 1;
    static final int BATCH_BYTES = 4096;
    private static final long WALL_CLOCK_EPOCH_MS = 1_790_000_000_000L;

    final FakeDisk disk;
    final Metrics metrics = new Metrics();
    final FeedPublisher publisher;
    /** Two threads of this computer that publish. */
    final LocalFeed first = new LocalFeed("first", 1 << 18);

    final LocalFeed second = new LocalFeed("second", 1 << 18);
    final LocalPublisher firstPublisher = first.publisher();
    final LocalPublisher secondPublisher = second.publisher();
    final Recorder recorder;
    private final Keeper keeper;
    private static final long BEGIN_NS = 77_000 * MILLISECOND_NS;
    private long nowNs = BEGIN_NS;
    private long clockOffsetMs;
    private int session = SESSION;
    // By default a vehicle sends only chunks, and all of them arrive.
    private int frame;
    private long trail;
    private int ringDropped;

    RecordingFixture() {
        this(new FakeDisk());
    }

    RecordingFixture(FakeDisk disk) {
        this(disk, StoreSettings.RotationPolicy.NEVER);
    }

    RecordingFixture(FakeDisk disk, StoreSettings.RotationPolicy rotation) {
        this(disk, rotation, WALL_CLOCK_EPOCH_MS);
    }

    /** @param epochMs the wall clock's time at the start */
    RecordingFixture(FakeDisk disk, StoreSettings.RotationPolicy rotation, long epochMs) {
        this(disk, rotation, epochMs, RecordSettings.of("tester 1.0"));
    }

    RecordingFixture(FakeDisk disk, StoreSettings.RotationPolicy rotation, RecordSettings settings) {
        this(disk, rotation, WALL_CLOCK_EPOCH_MS, settings);
    }

    private RecordingFixture(
            FakeDisk disk, StoreSettings.RotationPolicy rotation, long epochMs, RecordSettings record) {
        setClockMs(epochMs);
        this.disk = disk;
        StoreSettings settings = new StoreSettings(BATCH_BYTES, StoreSettings.Durability.ofMs(500), rotation);
        keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
        LogStore store = new LogStore(disk, this::epochMs, settings, keeper);
        Feed feed = new Feed("test", 1 << 16);
        publisher = feed.publisher();
        recorder = new Recorder(
                () -> nowNs,
                this::epochMs,
                store,
                metrics,
                record,
                new Recorder.Feeds(List.of(feed), List.of(first, second)));
        assertThat(publisher.sessionBegin(SESSION, 1, 1, nowNs)).isTrue();
        work();
    }

    long epochMs() {
        return clockOffsetMs + nowNs / MILLISECOND_NS;
    }

    void setClockMs(long epochMs) {
        clockOffsetMs = epochMs - nowNs / MILLISECOND_NS;
    }

    /** Milliseconds since the session started. */
    long passedMs() {
        return (nowNs - BEGIN_NS) / MILLISECOND_NS;
    }

    long nowNs() {
        return nowNs;
    }

    void advanceMs(long ms) {
        nowNs += ms * MILLISECOND_NS;
    }

    /** Loses this number of the vehicle's frames on the link before the next chunk. */
    void loseFrames(int count) {
        frame += count;
        trail = count < FrameTrail.LENGTH ? trail << count : 0;
    }

    void ringDropped(int chunks) {
        ringDropped = chunks;
    }

    void chunk(FeedPublisher.ChunkSource chunk) {
        assertThat(publisher.chunk(session, chunk, FrameTrail.of(frame, trail), ringDropped, nowNs))
                .isTrue();
        trail = trail << 1 | 1;
        frame++;
        work();
    }

    void work() {
        recorder.doWork();
        keeper.doWork();
    }

    /** Lets time pass in steps, with the recorder's work in each. */
    void workForMs(long ms) {
        for (long passedMs = 0; passedMs < ms; passedMs += 20) {
            advanceMs(20);
            work();
        }
    }

    void end(SessionEnd reason) {
        end(session, reason);
    }

    void end(int which, SessionEnd reason) {
        assertThat(publisher.sessionEnd(which, reason, ringDropped, nowNs)).isTrue();
        work();
    }

    /** Starts another session of the same vehicle, which later chunks belong to. */
    void begin(int next) {
        session = next;
        assertThat(publisher.sessionBegin(next, 1, 1, nowNs)).isTrue();
        work();
    }

    byte[] onlyFile() {
        List<String> names = names();
        assertThat(names).hasSize(1);
        return disk.bytes(names.get(0));
    }

    List<String> names() {
        return List.copyOf(disk.storedNames());
    }

    /** The sum of a counter's lines with this tag, as Prometheus reads them. */
    double metric(String name, String tag) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_" + name + "_total") && line.contains(tag))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The sum of all lines of a counter, as Prometheus reads them. */
    double metric(String name) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith("mavlogd_" + name + "_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
