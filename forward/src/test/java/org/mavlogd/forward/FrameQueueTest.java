package org.mavlogd.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameQueueTest {
    /** The bytes that {@link FrameQueue} adds to each frame. */
    private static final int HEAD = 10;

    private static final class Waiting {
        final int order;
        final byte[] frame;

        Waiting(int order, byte[] frame) {
            this.order = order;
            this.frame = frame;
        }
    }

    /**
     * Compares with lists: the same frames in the same order, and a frame that does not fit displaces the oldest of its
     * kind.
     */
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
                dropped += queue.add(frame, 0, frame.length, isTelemetry, 0);
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

    /** Telemetry that has waited too long is dropped, at any value of the clock. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, (1L << 51) - 1, 77_000_000_000L})
    void telemetryThatWaitedTooLongIsDropped(long startNs) {
        FrameQueue queue = new FrameQueue();
        byte[] frame = new byte[40];
        byte[] target = new byte[frame.length];
        for (int i = 0; i < 10; i++) {
            frame[0] = (byte) i;
            queue.add(frame, 0, frame.length, i % 2 == 0, startNs + i * FrameQueue.MAX_WAIT_NS / 5);
        }

        assertThat(queue.dropLate(startNs + FrameQueue.MAX_WAIT_NS * 9 / 10)).isZero();
        assertThat(queue.dropLate(startNs + FrameQueue.MAX_WAIT_NS * 3 / 2)).isEqualTo(2);

        List<Byte> left = new ArrayList<>();
        while (queue.poll(target, 0) > 0) {
            left.add(target[0]);
        }
        assertThat(left)
                .containsExactly((byte) 1, (byte) 3, (byte) 4, (byte) 5, (byte) 6, (byte) 7, (byte) 8, (byte) 9);
        assertThat(queue.dropLate(startNs + TimeUnit.HOURS.toNanos(1))).isZero();
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
