package org.mavlogd.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.time.ClockFit;

class FeedTest implements Feed.Handler {
    private static final int RING_BYTES = 4096;

    private final Feed feed = new Feed("uart0", RING_BYTES);
    private final FeedPublisher publisher = feed.publisher();
    private final Feed.Consumer consumer = feed.consumer(this);
    private final List<String> records = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 248, 249})
    void chunksKeepEveryField(int length) {
        assertThat(publisher.chunk(7, chunk(65_535, 255, length), -5, Integer.MAX_VALUE, Long.MIN_VALUE))
                .isTrue();
        assertThat(publisher.chunk(Integer.MIN_VALUE, chunk(0, 0, length), Integer.MIN_VALUE, 0, Long.MAX_VALUE))
                .isTrue();

        assertThat(consumer.drain(10)).isEqualTo(2);

        assertThat(records)
                .containsExactly(
                        "7 65535 255 " + length + " -5 2147483647 -9223372036854775808 " + sum(65_535, length),
                        "-2147483648 0 0 " + length + " -2147483648 0 9223372036854775807 " + sum(0, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 255})
    void sessionsKeepEveryField(int id) {
        assertThat(publisher.sessionBegin(3, id, 255 - id, -1)).isTrue();
        assertThat(publisher.sessionResume(4, 255 - id, id, Long.MIN_VALUE)).isTrue();

        consumer.drain(2);

        assertThat(records)
                .containsExactly(
                        "begin 3 " + id + " " + (255 - id) + " -1",
                        "resume 4 " + (255 - id) + " " + id + " " + Long.MIN_VALUE);
    }

    /** A vehicle that may crash: its data must not wait until the consumer looks by itself. */
    @ParameterizedTest
    @EnumSource(VehicleEvent.class)
    @Timeout(120)
    void urgentEventsWakeTheConsumer(VehicleEvent event) throws InterruptedException {
        Thread thread = sleepingConsumer(consumer);

        assertThat(publisher.vehicleEvent(1, 1, event, 0, 0)).isTrue();
        if (!event.isUrgent()) {
            assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
            LockSupport.unpark(thread);
        }
        thread.join();

        assertThat(records).hasSize(1);
    }

    /** Without a log the consumer looks so rarely that its first data would be late on disk. */
    @Test
    @Timeout(120)
    void aNewLogWakesTheConsumer() throws InterruptedException {
        Thread thread = sleepingConsumer(consumer);

        assertThat(publisher.sessionBegin(1, 1, 1, 0)).isTrue();
        thread.join();

        assertThat(records).hasSize(1);
    }

    /** Data that comes fast must not need memory for a stall of the disk. */
    @Test
    @Timeout(120)
    void aRingThatIsHalfFullWakesTheConsumer() throws InterruptedException {
        Feed large = new Feed("uart1", 64 * RING_BYTES);
        FeedPublisher fast = large.publisher();
        Thread thread = sleepingConsumer(large.consumer(this));

        while (large.fill() < 0.25) {
            assertThat(fast.chunk(1, chunk(1, 0, 249), 0, 0, 0)).isTrue();
        }
        assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
        while (large.fill() < 0.75 && thread.isAlive()) {
            assertThat(fast.chunk(1, chunk(1, 0, 249), 0, 0, 0)).isTrue();
        }
        thread.join();

        assertThat(records).hasSize(1);
    }

    /** A thread that ends after the first record, and sleeps until then unless it is woken. */
    private static Thread sleepingConsumer(Feed.Consumer waiting) {
        Thread thread = new Thread(() -> {
            waiting.drainHere();
            while (waiting.drain(1) == 0) {
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255})
    void clockFitsKeepEveryField(int id) {
        ClockFit first = new ClockFit(Long.MIN_VALUE, -1, Double.MIN_VALUE, true);
        ClockFit second = new ClockFit(5_000_000_000L, 42_000_000, 1.00005, false);
        assertThat(publisher.clockFit(id, 255 - id, first, -7)).isTrue();
        assertThat(publisher.clockFit(255 - id, id, second, Long.MAX_VALUE)).isTrue();

        consumer.drain(2);

        assertThat(records)
                .containsExactly(
                        "clock " + id + " " + (255 - id) + " " + first + " -7",
                        "clock " + (255 - id) + " " + id + " " + second + " " + Long.MAX_VALUE);
    }

    @ParameterizedTest
    @EnumSource(SessionEnd.class)
    void endsKeepTheirReason(SessionEnd reason) {
        assertThat(publisher.sessionEnd(4, reason, -7, 5)).isTrue();

        consumer.drain(1);

        assertThat(records).containsExactly("end 4 " + reason + " -7 5");
        assertThat(reason.text()).isNotBlank();
    }

    @Test
    void refusesReasonsThatNobodyGave() {
        assertThatThrownBy(() -> SessionEnd.of((byte) 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SessionEnd.of((byte) 10)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void saysWhenItIsFullAndTakesRecordsAgainAfterwards() {
        int taken = 0;
        while (publisher.chunk(1, chunk(taken, 0, 249), 0, 0, 0)) {
            taken++;
        }
        assertThat(taken).isGreaterThan(10);
        assertThat(feed.fill()).isGreaterThan(0.9);
        assertThat(publisher.chunk(1, chunk(taken, 0, 249), 0, 0, 0)).isFalse();

        consumer.drain(2);

        assertThat(publisher.sessionEnd(1, SessionEnd.STOPPED, 0, 0)).isTrue();
        consumer.drain(1000);
        assertThat(records).hasSize(taken + 1);
        assertThat(feed.fill()).isZero();
    }

    @Test
    void keepsOrderAndBytesWhileTheRingGoesRound() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            int length = i * 31 % 250;
            assertThat(publisher.chunk(1, chunk(i, 0, length), 0, 0, i)).isTrue();
            expected.add("1 " + i + " 0 " + length + " 0 0 " + i + " " + sum(i, length));
            if (i % 9 == 0) {
                consumer.drain(100);
            }
        }
        consumer.drain(100);

        assertThat(records).isEqualTo(expected);
    }

    @Test
    void handsOutNoMoreThanAskedFor() {
        for (int i = 0; i < 5; i++) {
            publisher.sessionEnd(i, SessionEnd.STOPPED, 0, 0);
        }

        assertThat(consumer.drain(3)).isEqualTo(3);
        assertThat(records).hasSize(3);
        assertThat(consumer.drain(3)).isEqualTo(2);
        assertThat(consumer.drain(3)).isZero();
    }

    private static byte value(int sequence, int index) {
        return (byte) (sequence + index * 3);
    }

    private static long sum(int sequence, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum = sum * 31 + value(sequence, i);
        }
        return sum;
    }

    private static FeedPublisher.ChunkSource chunk(int sequence, int first, int length) {
        return new FeedPublisher.ChunkSource() {
            @Override
            public int sequence() {
                return sequence;
            }

            @Override
            public int firstMessageOffset() {
                return first;
            }

            @Override
            public int length() {
                return length;
            }

            @Override
            public void copyData(MutableDirectBuffer target, int targetIndex) {
                for (int i = 0; i < length; i++) {
                    target.putByte(targetIndex + i, value(sequence, i));
                }
            }
        };
    }

    @Override
    public void onSessionBegin(int session, int systemId, int componentId, long nowNs) {
        records.add("begin " + session + " " + systemId + " " + componentId + " " + nowNs);
    }

    @Override
    public void onSessionResume(int session, int systemId, int componentId, long nowNs) {
        records.add("resume " + session + " " + systemId + " " + componentId + " " + nowNs);
    }

    @Override
    public void onChunk(int session, ChunkView chunk) {
        long sum = 0;
        for (int i = 0; i < chunk.length(); i++) {
            sum = sum * 31 + chunk.data().getByte(chunk.dataOffset() + i);
        }
        records.add(session + " " + chunk.sequence() + " " + chunk.firstMessageOffset() + " " + chunk.length() + " "
                + chunk.frames() + " " + chunk.ringDropped() + " " + chunk.arrivalNs() + " " + sum);
    }

    @Override
    public void onSessionEnd(int session, SessionEnd reason, int ringDropped, long nowNs) {
        records.add("end " + session + " " + reason + " " + ringDropped + " " + nowNs);
    }

    @Override
    public void onClockFit(int systemId, int componentId, ClockFit fit, long nowNs) {
        records.add("clock " + systemId + " " + componentId + " " + fit + " " + nowNs);
    }

    @Override
    public void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {
        records.add(systemId + " " + componentId + " " + event + " " + value + " " + nowNs);
    }
}
