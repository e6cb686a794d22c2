package org.mavlogd.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.BlockView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.store.Disk;
import org.mavlogd.store.FakeDisk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogStore;
import org.mavlogd.store.SlowDisk;
import org.mavlogd.store.StoreSettings;

/** Many logs that begin at once on a slow disk: open files get their turn in between. */
class RecorderRoundTest {
    private static final int LOGS = 10;
    private static final int BLOCKS = 40;
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(15);

    private final FakeDisk disk = new FakeDisk();
    private final Feed feed = new Feed("test", 1 << 18);
    private final Feed other = new Feed("other", 1 << 18);
    private long nowNs = TimeUnit.SECONDS.toNanos(1000);
    // On which each new file takes time.
    private final Disk slow = SlowDisk.of(disk, operation -> nowNs += operation.equals("create") ? SLOW_NS : 0);

    @Test
    void aRoundEndsAfterALogOrTwo() {
        Keeper keeper = new Keeper(disk, () -> nowNs, (name, bytes) -> {});
        StoreSettings settings = new StoreSettings(4096, StoreSettings.Durability.ofMs(500));
        LogStore store = new LogStore(slow, () -> 0, settings, keeper);
        Recorder recorder = new Recorder(() -> nowNs, () -> 0, store, new Metrics(), "tester", List.of(feed, other));
        FeedPublisher publisher = feed.publisher();
        for (int log = 1; log <= LOGS; log++) {
            assertThat(publisher.blocksBegin(log, log, 68, nowNs)).isTrue();
            for (int number = 0; number < BLOCKS; number++) {
                BytesBlock block = new BytesBlock(number, new byte[BlockView.DATA_LENGTH]);
                assertThat(publisher.block(log, block, nowNs)).isTrue();
            }
        }

        int taken = 0;
        boolean isLagging = false;
        while (taken < LOGS * (BLOCKS + 1)) {
            long beginNs = nowNs;
            int work = recorder.doWork();
            assertThat(nowNs - beginNs).as("after %d records", taken).isLessThanOrEqualTo(2 * SLOW_NS);
            assertThat(work).isPositive();
            taken += work;
            isLagging |= other.publisher().isConsumerLagging();
        }
        recorder.doWork();
        recorder.doWork();
        recorder.doWork();

        assertThat(isLagging)
                .as("whether a producer learned that the recorder lags")
                .isTrue();
        assertThat(other.publisher().isConsumerLagging())
                .as("after the last record")
                .isFalse();
        assertThat(disk.count(FakeDisk.Operation.CREATE)).isGreaterThanOrEqualTo(LOGS);
    }
}
