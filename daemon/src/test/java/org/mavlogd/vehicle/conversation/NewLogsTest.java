package org.mavlogd.vehicle.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.StrictFeedHandler;

class NewLogsTest {
    private static final int KNOWN = 1;
    private static final int STRANGER = 2;

    private final Feed feed = new Feed("test", 1 << 16);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed.Consumer recorder = feed.consumer(new StrictFeedHandler() {});
    private final NewLogs logs = new NewLogs(systemId -> systemId == KNOWN, publisher);
    private long nowNs = TimeUnit.SECONDS.toNanos(100);

    private int beginForMs(int systemId, int ms) {
        int begun = 0;
        for (int i = 0; i <= ms; i++) {
            if (logs.mayBegin(systemId, nowNs)) {
                logs.began(systemId, nowNs);
                begun++;
            }
            nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        }
        return begun;
    }

    @Test
    void strangersBeginOneAfterTheOther() {
        assertThat(beginForMs(STRANGER, 49)).isEqualTo(1);
        assertThat(beginForMs(STRANGER, 2_500))
                .as("while a PX4 repeats its first chunk")
                .isBetween(50, 51);
    }

    @Test
    void knownVehiclesBeginAtOnceAndTakeNothingFromStrangers() {
        assertThat(beginForMs(KNOWN, 99)).isEqualTo(100);
        assertThat(beginForMs(STRANGER, 3)).isEqualTo(1);
    }

    @Test
    void noStrangerBeginsWhileTheRecorderLags() {
        recorder.tellLag(true);
        assertThat(beginForMs(STRANGER, 1_000)).isZero();
        assertThat(beginForMs(KNOWN, 0)).isEqualTo(1);

        recorder.tellLag(false);
        assertThat(beginForMs(STRANGER, 3)).isEqualTo(1);
    }

    @Test
    void numbersAreNeverUsedTwice() {
        assertThat(logs.nextNumber()).isNotEqualTo(logs.nextNumber());
    }
}
