package org.mavlogd.record.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.memory.Requester;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.ulog.TopicFormat;

/** Topics of this computer in one log take their memory from the log's share. */
class LocalPartTest {
    private static final int TOPICS = 200;
    private static final int LAST_INSTANCE = 255;
    private static final long PART_BYTES = 4 << 20;

    private final LocalFeed feed = new LocalFeed("test", 1 << 16);
    private final MemoryShare share = new MemoryBudget(8 * PART_BYTES).share(Requester.LOCAL_SOURCE);
    private final LocalPart part = new LocalPart(List.of(feed), "companion_", share);

    LocalPartTest() throws Exception {
        LocalPublisher publisher = feed.publisher();
        for (int i = 0; i < TOPICS; i++) {
            publisher.declare(TopicFormat.parse("topic" + i + ":uint64_t timestamp;float load;"), Map.of());
        }
        part.adopt(part.plan(new LogHead(MemoryShare.unlimited())));
    }

    @Test
    void anInstanceWithoutMemoryTakesNone() {
        List<LocalPart.Place> places = new ArrayList<>();
        for (LocalTopic topic : feed.topics()) {
            places.add(part.place(0, topic));
        }
        assertThat(Objects.requireNonNull(places.get(0).series(0)).multiId()).isZero();
        assertThat(places.get(1).series(LAST_INSTANCE)).isNotNull();
        fill();

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(self);
        int given = 0;
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 2; i < TOPICS; i++) {
            given += places.get(i).series(LAST_INSTANCE) == null ? 0 : 1;
        }
        long allocated = threads.getThreadAllocatedBytes(self) - before;

        assertThat(given).isZero();
        assertThat(allocated).as("bytes for %d refused instances", TOPICS - 2).isLessThan(TOPICS * 100L);
        assertThat(places.get(0).series(0)).as("the one that is there").isNotNull();
    }

    @Test
    void instancesCountWithTheListsThatTheyLengthen() {
        LocalPart.Place place = part.place(0, feed.topics().get(0));
        long before = share.held();

        assertThat(place.series(LAST_INSTANCE)).isNotNull();

        assertThat(share.held() - before).isGreaterThan(2 * LAST_INSTANCE * Integer.BYTES);
    }

    @Test
    void placesCountAlsoOfTopicsThatTheFileLacks() {
        part.onNoFile();
        long before = share.held();
        for (LocalTopic topic : feed.topics()) {
            assertThat(part.place(0, topic).format()).isNull();
        }

        assertThat(share.held() - before).isGreaterThanOrEqualTo(TOPICS * 36L);
    }

    private void fill() {
        for (long bytes = PART_BYTES; bytes > 0; bytes /= 2) {
            while (share.reserve(bytes)) {
                // as often as possible
            }
        }
    }
}
