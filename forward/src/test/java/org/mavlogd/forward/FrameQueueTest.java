package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameQueueTest {
    /** As {@link FrameQueue} counts it. */
    private static final int HEAD = 6;

    private static final class Waiting {
        final int order;
        final byte[] frame;

        Waiting(int order, byte[] frame) {
            this.order = order;
            this.frame = frame;
        }
    }

    /** Against lists: the same frames in the same order, and what does not fit costs the oldest of its kind. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void keepsTheNewestOfEachKindInOrder(long seed) {
        Random random = new Random(seed);
        FrameQueue queue = new FrameQueue();
        Deque<Waiting> telemetry = new ArrayDeque<>();
        Deque<Waiting> conversations = new ArrayDeque<>();
        List<ByteBuffer> expected = new ArrayList<>();
        List<ByteBuffer> arrived = new ArrayList<>();
        long dropped = 0;
        long shouldDrop = 0;
        byte[] target = new byte[2048];
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(100) < 30 + 50 * (i / 2000 % 2)) {
                byte[] frame = new byte[8 + random.nextInt(273)];
                random.nextBytes(frame);
                boolean isTelemetry = random.nextInt(4) > 0;
                Deque<Waiting> kind = isTelemetry ? telemetry : conversations;
                while (bytes(kind) + HEAD + frame.length > FrameQueue.CAPACITY) {
                    kind.remove();
                    shouldDrop++;
                }
                kind.add(new Waiting(i, frame));
                dropped += queue.add(frame, 0, frame.length, isTelemetry);
            } else {
                int length = queue.poll(target, 7);
                Deque<Waiting> oldest = older(telemetry, conversations);
                if (!oldest.isEmpty()) {
                    expected.add(ByteBuffer.wrap(oldest.remove().frame));
                    arrived.add(ByteBuffer.wrap(Arrays.copyOfRange(target, 7, 7 + length)));
                } else {
                    assertThat(length).isZero();
                }
            }
            assertThat(queue.isEmpty()).isEqualTo(telemetry.isEmpty() && conversations.isEmpty());
        }

        assertThat(arrived).containsExactlyElementsOf(expected);
        assertThat(dropped).as("seed %d", seed).isEqualTo(shouldDrop);
        assertThat(shouldDrop).isPositive();
    }

    private static int bytes(Deque<Waiting> kind) {
        return kind.stream().mapToInt(waiting -> HEAD + waiting.frame.length).sum();
    }

    private static Deque<Waiting> older(Deque<Waiting> one, Deque<Waiting> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return one.element().order < other.element().order ? one : other;
    }
}
