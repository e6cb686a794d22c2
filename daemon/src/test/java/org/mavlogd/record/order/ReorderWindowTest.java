package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.FrameTrail;
import org.mavlogd.feed.StrictFeedHandler;
import org.mavlogd.record.BytesChunk;

class ReorderWindowTest implements ReorderWindow.Output {
    private static final long MILLISECOND_NS = 1_000_000;
    private static final int RANGE = 1 << 16;

    private final List<Integer> order = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private final ReorderWindow window = new ReorderWindow(this);
    private final FeedPublisher publisher;
    private final Feed.Consumer consumer;
    private int late;
    // By default a vehicle sends only chunks, one frame each.
    private int frame;
    private long trail;
    private int ringDropped;
    private long nowNs = 5_000 * MILLISECOND_NS;

    ReorderWindowTest() {
        Feed feed = new Feed("test", 1 << 14);
        publisher = feed.publisher();
        consumer = feed.consumer(new StrictFeedHandler() {
            @Override
            public void onChunk(int session, ChunkView chunk) {
                window.offer(chunk);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 65_530})
    void handsOnWhatIsInOrder(int first) {
        offer(range(first, 40));

        assertThat(order).containsExactly(range(first, 40));
        assertThat(gaps).isEmpty();
        assertThat(window.isHolding()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 15, 16})
    void putsAChunkBackThatCameThatMuchLater(int displacement) {
        int first = 65_530;
        offer(first);
        for (int i = 2; i <= displacement + 1; i++) {
            offer((first + i) % RANGE);
        }
        assertThat(order).hasSize(1);

        offer((first + 1) % RANGE);
        offer((first + displacement + 2) % RANGE);

        assertThat(order).containsExactly(range(first, displacement + 3));
        assertThat(gaps).isEmpty();
        assertThat(late).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 18, 40, 62})
    void givesUpAChunkThatComesLaterThanTheWindow(int displacement) {
        offer(0);
        for (int i = 2; i <= displacement + 1; i++) {
            offer(i);
        }
        offer(1);

        assertThat(gaps).containsExactly("1 before 2");
        assertThat(late).isEqualTo(1);
        assertThat(order).hasSize(displacement + 1).isSorted().doesNotContain(1);
    }

    @Test
    void waitsTwentyMillisecondsByArrivalTime() {
        offer(0, 2);
        nowNs += 19 * MILLISECOND_NS;
        offer(3);
        assertThat(order).containsExactly(0);
        nowNs += MILLISECOND_NS;
        offer(4);

        assertThat(order).containsExactly(0, 2, 3, 4);
        assertThat(gaps).containsExactly("1 before 2");
    }

    @Test
    void tellsSinceWhenAChunkMayHaveWaited() {
        publisher.waited(nowNs - 40);
        offer(0);
        publisher.waitedEnd();
        assertThat(window.sinceNs()).isEqualTo(nowNs - 40);
        publisher.waited(nowNs - 30);
        offer(2);
        publisher.waitedEnd();
        nowNs += MILLISECOND_NS;
        offer(3);
        assertThat(window.sinceNs()).isEqualTo(nowNs - MILLISECOND_NS - 40);
        assertThat(window.heldArrivalNs()).isEqualTo(nowNs - MILLISECOND_NS);
        assertThat(window.heldSinceNs()).isEqualTo(nowNs - MILLISECOND_NS - 30);

        window.expire(window.heldArrivalNs());

        assertThat(order).containsExactly(0, 2, 3);
        assertThat(window.arrivalNs()).isEqualTo(nowNs);
        assertThat(window.sinceNs()).isEqualTo(nowNs);
    }

    /** The chunk that arrived first need not be the one that may have waited for longest. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tellsTheEarliestTimeSinceWhenAHeldChunkMayHaveWaited(boolean firstWaitedLongest) {
        long beginNs = nowNs;
        offer(0);
        offerSince(2, beginNs - 5);
        for (int i = 1; i <= 3; i++) {
            nowNs = beginNs + i;
            offerSince(2 + 2 * i, firstWaitedLongest ? beginNs - 4 + i : beginNs - 1 - i);
        }
        assertThat(window.heldSinceNs()).isEqualTo(beginNs - 5);
        assertThat(window.heldArrivalNs()).isEqualTo(beginNs);

        offer(1);

        assertThat(order).containsExactly(0, 1, 2);
        assertThat(window.heldSinceNs()).isEqualTo(firstWaitedLongest ? beginNs - 3 : beginNs - 4);
        assertThat(window.heldArrivalNs()).isEqualTo(beginNs + 1);
    }

    @Test
    void givesUpWhenToldSo() {
        offer(0, 2);

        window.expire(nowNs - 1);
        assertThat(window.isHolding()).isTrue();
        window.expire(nowNs);

        assertThat(order).containsExactly(0, 2);
    }

    @Test
    void measuresTheWaitOfTheNextHoleFromTheChunkThatItHoldsUp() {
        offer(0, 2);
        nowNs += 10 * MILLISECOND_NS;
        offer(4);
        nowNs += 10 * MILLISECOND_NS;
        offer(5);
        assertThat(order).containsExactly(0, 2);

        nowNs += 10 * MILLISECOND_NS;
        offer(6);

        assertThat(order).containsExactly(0, 2, 4, 5, 6);
        assertThat(gaps).containsExactly("1 before 2", "1 before 4");
    }

    /** Whichever of 4 and 6 arrives first sets the wait, wherever it is kept. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void measuresTheWaitFromTheEarliestOfThoseHeld(boolean fourFirst) {
        long beginNs = nowNs;
        offer(0, 2);
        nowNs = beginNs + 5 * MILLISECOND_NS;
        offer(fourFirst ? 4 : 6);
        nowNs = beginNs + 10 * MILLISECOND_NS;
        offer(fourFirst ? 6 : 4);
        window.expire(beginNs);
        assertThat(order).containsExactly(0, 2);

        window.expire(beginNs + 5 * MILLISECOND_NS - 1);
        assertThat(order).containsExactly(0, 2);
        window.expire(beginNs + 5 * MILLISECOND_NS);

        // With 4 alone the wait of 6 continues; releasing 6 releases 4.
        assertThat(order).containsExactly(fourFirst ? new Integer[] {0, 2, 4} : new Integer[] {0, 2, 4, 6});
    }

    @Test
    void holdsNothingUpForAChunkOneWindowOfSlotsAhead() {
        offer(0, 2);

        offer(65);
        assertThat(order).containsExactly(0, 2);
        window.end(0, nowNs);

        assertThat(order).containsExactly(0, 2, 65);
        assertThat(gaps).containsExactly("1 before 2", "62 before 65");
    }

    @Test
    void takesSixtyFourStepsBackForLateAndMoreForForward() {
        offer(1000);
        offer(1001 - 64);
        assertThat(late).isEqualTo(1);

        offer(1001 - 65);
        window.end(0, nowNs);

        assertThat(late).isEqualTo(1);
        assertThat(order).containsExactly(1000, 1001 - 65);
    }

    @Test
    void keepsTheFirstOfTwoHeldCopies() {
        offer(0, 2, 2, 1);

        assertThat(order).containsExactly(0, 1, 2);
    }

    @Test
    void theEndHandsOnEverythingHeld() {
        offer(65_534, 0, 3, 5);

        window.end(0, nowNs);

        assertThat(order).containsExactly(65_534, 0, 3, 5);
        assertThat(gaps).containsExactly("1 before 0", "2 before 3", "1 before 5");
        assertThat(window.isHolding()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 63, 64, 65, 1000, 32_767, 32_768, 60_000, 65_471})
    void takesAnyLongStepForward(int step) {
        offer(77);

        offer((78 + step) % RANGE);
        assertThat(order)
                .as("the first to arrive need not be the first that was sent")
                .containsExactly(77);
        window.end(0, nowNs);

        assertThat(order).containsExactly(77, (78 + step) % RANGE);
        assertThat(gaps).containsExactly(step + " before " + (78 + step) % RANGE);
    }

    @Test
    void ordersWhatComesFirstAfterALongGap() {
        offer(77);

        offer(5001, 5002, 5000, 5003);
        window.end(0, nowNs);

        assertThat(order).containsExactly(77, 5000, 5001, 5002, 5003);
        assertThat(gaps).containsExactly("4922 before 5000");
        assertThat(late).isZero();
    }

    @Test
    void takesNoNumberForLateAfterALongSilence() {
        offer(100);
        nowNs += 3_000 * MILLISECOND_NS;

        offer(90);
        window.end(0, nowNs);

        assertThat(order).containsExactly(100, 90);
        assertThat(late).isZero();
    }

    /** The link works again, and its queues do not keep the order. */
    @Test
    void aChunkThatIsOvertakenAfterALongSilenceIsLate() {
        offer(1000);
        nowNs += 3_000 * MILLISECOND_NS;

        offer(1500, 1480, 1501);
        window.end(0, nowNs);

        assertThat(order).containsExactly(1000, 1500, 1501);
        assertThat(gaps).containsExactly("499 before 1500");
        assertThat(late).isEqualTo(1);
    }

    @Test
    void tellsWhatLinkAndRingKnewOfTheGap() {
        List<Integer> told = new ArrayList<>();
        ReorderWindow.Output output = new ReorderWindow.Output() {
            @Override
            public void onChunk(DirectBuffer data, int offset, int length, int firstMessageOffset) {}

            @Override
            public void onGap(ReorderWindow.Gap gap) {
                told.add(gap.chunks());
                told.add(gap.linkMissing());
                told.add(gap.ringDropped());
                told.add((int) (gap.arrivalDifferenceNs() / MILLISECOND_NS));
            }

            @Override
            public void onLateChunk(int length) {}
        };
        ReorderWindow other = new ReorderWindow(output);
        frame = 0xFFFE;
        ringDropped = 2;
        feedTo(other, 10);
        passFrames(5, false); // wraps
        passFrames(20, true);
        ringDropped += 3;
        nowNs += 7 * MILLISECOND_NS;
        feedTo(other, 40);
        other.expire(nowNs);

        assertThat(told).containsExactly(29, 5, 3, 7);
        told.clear();

        other.end(ringDropped, nowNs);
        assertThat(told).isEmpty();
        other.end(ringDropped + 6, nowNs + 9 * MILLISECOND_NS);
        assertThat(told).containsExactly(6, 6, 6, 9);
    }

    /** Their first chunk is one that the vehicle repeats. */
    @Test
    void aWindowWithoutChunksHasNoGap() {
        ReorderWindow window = new ReorderWindow(this);

        window.end(5, nowNs);

        assertThat(gaps).isEmpty();
    }

    /** With arrivals closer than 20 ms only the limit of 16 chunks applies; the model is a sorted set. */
    @Test
    void agreesWithASimpleModelOnRandomOrders() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            ReorderWindowTest run = new ReorderWindowTest();
            int first = random.nextInt(RANGE);
            List<Integer> arrivals = shuffled(random, first);
            Model model = new Model(arrivals.get(0));

            for (int sequence : arrivals) {
                run.offer(sequence % RANGE);
                model.offer(sequence);
            }
            run.window.end(0, run.nowNs);
            model.flush();

            assertThat(run.order).as("seed %d", seed).isEqualTo(model.order);
            assertThat(run.late).as("seed %d", seed).isEqualTo(model.late);
            assertThat(run.gaps).as("seed %d", seed).isEqualTo(model.gaps);
        }
    }

    /** Unwrapped numbers, some missing, each at most 30 places from its own. */
    private static List<Integer> shuffled(Random random, int first) {
        List<Integer> numbers = new ArrayList<>();
        numbers.add(first);
        int spread = 1 + random.nextInt(30);
        List<int[]> keyed = new ArrayList<>();
        for (int i = 1; i < 200; i++) {
            if (random.nextInt(10) > 0) {
                keyed.add(new int[] {first + i, i + random.nextInt(spread)});
            }
        }
        keyed.sort((left, right) -> Integer.compare(left[1], right[1]));
        keyed.forEach(entry -> numbers.add(entry[0]));
        return numbers;
    }

    private static final class Model {
        private final List<Integer> order = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        private final java.util.TreeSet<Integer> held = new java.util.TreeSet<>();
        private int expected;
        private int late;

        private Model(int first) {
            expected = first;
        }

        private void offer(int number) {
            if (number < expected) {
                late++;
                return;
            }
            held.add(number);
            nextInOrder();
            while (held.size() > ReorderWindow.CAPACITY) {
                next();
                nextInOrder();
            }
        }

        private void nextInOrder() {
            while (!held.isEmpty() && held.first() == expected) {
                next();
            }
        }

        private void flush() {
            while (!held.isEmpty()) {
                next();
            }
        }

        private void next() {
            int first = held.pollFirst();
            if (first > expected) {
                gaps.add(first - expected + " before " + first % RANGE);
            }
            order.add(first % RANGE);
            expected = first + 1;
        }
    }

    private void offer(Integer... sequences) {
        for (int sequence : sequences) {
            publish(sequence);
            consumer.drain(1);
        }
    }

    private void offerSince(int sequence, long sinceNs) {
        publisher.waited(sinceNs);
        offer(sequence);
        publisher.waitedEnd();
    }

    private void publish(int sequence) {
        byte[] data = {(byte) sequence, (byte) (sequence >>> 8)};
        assertThat(publisher.chunk(1, new BytesChunk(sequence, 0, data, 0, 2), frames(), ringDropped, nowNs))
                .isTrue();
        passFrames(1, true);
    }

    private long frames() {
        return FrameTrail.of(frame, trail);
    }

    private void passFrames(int count, boolean arrive) {
        for (int i = 0; i < count; i++) {
            trail = trail << 1 | (arrive ? 1 : 0);
            frame++;
        }
    }

    private void feedTo(ReorderWindow other, int sequence) {
        Feed feed = new Feed("other", 1 << 12);
        byte[] data = {0, 0};
        assertThat(feed.publisher().chunk(1, new BytesChunk(sequence, 0, data, 0, 2), frames(), ringDropped, nowNs))
                .isTrue();
        passFrames(1, true);
        feed.consumer(new StrictFeedHandler() {
                    @Override
                    public void onChunk(int session, ChunkView chunk) {
                        other.offer(chunk);
                    }
                })
                .drain(1);
    }

    private static Integer[] range(int first, int count) {
        Integer[] numbers = new Integer[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (first + i) % RANGE;
        }
        return numbers;
    }

    @Override
    public void onChunk(DirectBuffer data, int offset, int length, int firstMessageOffset) {
        order.add((data.getByte(offset) & 0xFF) | (data.getByte(offset + 1) & 0xFF) << 8);
        if (!gaps.isEmpty() && gaps.get(gaps.size() - 1).endsWith("before ")) {
            gaps.set(gaps.size() - 1, gaps.get(gaps.size() - 1) + order.get(order.size() - 1));
        }
    }

    @Override
    public void onGap(ReorderWindow.Gap gap) {
        gaps.add(gap.chunks() + " before ");
    }

    @Override
    public void onLateChunk(int length) {
        late++;
    }
}
