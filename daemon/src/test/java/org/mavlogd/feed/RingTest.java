package org.mavlogd.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {
    private static final int TYPE = 7;
    private static final int FIRST = 1 << 10;
    private static final int SPILL = 1 << 12;
    private static final int MEBI = 1 << 20;

    private final List<Long> read = new ArrayList<>();
    private final MessageHandler reader = (type, buffer, index, length) -> {
        requireSound(type, buffer, index, length);
        read.add(buffer.getLong(index));
    };

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void handsOutWhatItTookInOrder(long seed) {
        Random random = new Random(seed);
        Ring ring = new Ring(FIRST, SPILL);
        Queue<Long> expected = new ArrayDeque<>();
        long next = 0;
        for (int i = 0; i < 5_000; i++) {
            // Bursts and pauses, so that the second ring is started and emptied again and again.
            for (int burst = random.nextInt(random.nextInt(10) == 0 ? 200 : 4); burst > 0; burst--) {
                if (put(ring, next, length(random))) {
                    expected.add(next);
                }
                next++;
            }
            long taken = ring.taken();
            read.clear();
            int count = ring.read(reader, random.nextInt(random.nextInt(10) == 0 ? 400 : 6));

            assertThat(read).as("seed %d, step %d", seed, i).hasSize(count);
            for (long value : read) {
                assertThat(value).as("seed %d, step %d", seed, i).isEqualTo(expected.remove());
            }
            assertThat(ring.taken()).isGreaterThanOrEqualTo(taken);
            assertThat(ring.taken() == ring.filled()).isEqualTo(expected.isEmpty());
            assertThat(ring.fill()).isBetween(0.0, 1.0);
        }
    }

    /** Every switch between the two rings, with the other thread at any point of its work. */
    @Test
    @Timeout(300)
    void keepsTheOrderBetweenThreads() throws InterruptedException {
        Ring ring = new Ring(FIRST, SPILL);
        long records = 100_000;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread producer = new Thread(
                () -> {
                    Random random = new Random(11);
                    for (long next = 0; next < records && failure.get() == null; ) {
                        if (put(ring, next, length(random))) {
                            next++;
                        } else {
                            giveWay();
                        }
                    }
                },
                "producer");
        producer.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        producer.start();
        long[] expected = {0};
        MessageHandler inOrder = (type, buffer, index, length) -> {
            requireSound(type, buffer, index, length);
            if (buffer.getLong(index) != expected[0]) {
                throw new AssertionError(buffer.getLong(index) + " instead of " + expected[0]);
            }
            expected[0]++;
        };
        Random random = new Random(12);
        try {
            while (expected[0] < records && failure.get() == null) {
                if (ring.read(inOrder, 1 + random.nextInt(60)) == 0) {
                    giveWay();
                }
            }
        } catch (Throwable e) {
            failure.set(e);
        }
        producer.join();

        assertThat(failure.get()).isNull();
        assertThat(expected[0]).isEqualTo(records);
    }

    /** The second ring was just emptied, and before the reader looks again, the producer fills the first and needs the second. */
    @Test
    void keepsTheOrderIfTheSecondRingIsNeededAgainBetweenTwoLooks() {
        Runnable[] onceRead = {() -> {}};
        Ring ring = new Ring(FIRST, SPILL, bytes -> new UnsafeBuffer(ByteBuffer.allocateDirect(bytes)) {
            /** The reader's new position. */
            @Override
            public void putLongRelease(int index, long value) {
                super.putLongRelease(index, value);
                if (bytes > SPILL && index == SPILL + RingBufferDescriptor.HEAD_POSITION_OFFSET) {
                    Runnable producer = onceRead[0];
                    onceRead[0] = () -> {};
                    producer.run();
                }
            }
        });
        long[] next = {0};
        Runnable fillsBeyondTheFirst = () -> {
            for (int i = 0; i < 2 * FIRST / 64; i++) {
                assertThat(put(ring, next[0], 56)).isTrue();
                next[0]++;
            }
        };
        fillsBeyondTheFirst.run();
        onceRead[0] = fillsBeyondTheFirst;

        while (ring.read(reader, Integer.MAX_VALUE) > 0) {
            // Until all is out.
        }

        assertThat(read).hasSize(4 * FIRST / 64).isSorted();
    }

    /** On a busy machine the other thread waits for this processor. */
    private static void giveWay() {
        for (int i = 0; i < 200; i++) {
            Thread.onSpinWait();
        }
        LockSupport.parkNanos(1);
    }

    @Test
    void holdsAllThatWasPromised() {
        Ring ring = new Ring(MEBI);
        long count = 0;
        while (put(ring, count, 248)) {
            count++;
        }

        assertThat(count * 256).isBetween((long) MEBI + MEBI / 16 - 1024, (long) MEBI + MEBI / 16);
        assertThat(ring.fill()).isGreaterThan(0.99);
        assertThat(ring.read(reader, Integer.MAX_VALUE)).isEqualTo((int) count);
        assertThat(ring.fill()).isZero();
        assertThat(put(ring, count, 248)).isTrue();
    }

    @Test
    void takesARecordThatIsTooLongForTheFirstRing() {
        Ring ring = new Ring(MEBI);
        assertThat(put(ring, 1, 20)).isTrue();
        assertThat(put(ring, 2, MEBI / 10)).isTrue();
        assertThat(put(ring, 3, 20)).isTrue();

        assertThat(ring.read(reader, 10)).isEqualTo(3);
        assertThat(read).containsExactly(1L, 2L, 3L);
        assertThatThrownBy(() -> ring.tryClaim(TYPE, MEBI)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int length(Random random) {
        return Long.BYTES + random.nextInt(90);
    }

    /** Puts a record with the number, filled with one of its bytes. */
    private static boolean put(Ring ring, long value, int length) {
        int index = ring.tryClaim(TYPE, length);
        if (index < 0) {
            return false;
        }
        ring.buffer().setMemory(index, length, (byte) value);
        ring.buffer().putLong(index, value);
        ring.commit(index);
        return true;
    }

    private static void requireSound(int type, MutableDirectBuffer buffer, int index, int length) {
        long value = buffer.getLong(index);
        if (type != TYPE || (length > Long.BYTES && buffer.getByte(index + length - 1) != (byte) value)) {
            throw new AssertionError("record " + value + " is damaged");
        }
    }
}
