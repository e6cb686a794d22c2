package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.KnownTopics;
import org.mavlogd.feed.ResumeTicket;

class StreamPaceTest {
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int STEPS_PER_SECOND = 5;

    private final StreamPace pace = new StreamPace();
    private long nowNs = TimeUnit.HOURS.toNanos(1);
    private int sequence = 65_000;
    private long logUs = TimeUnit.MINUTES.toMicros(5);

    private void resume(double chunksPerSecond, double usPerSecond) {
        pace.resume(new ResumeTicket.Facts(
                1,
                1,
                0,
                0,
                sequence,
                nowNs,
                chunksPerSecond,
                logUs,
                usPerSecond,
                logUs,
                0,
                List.of(),
                new KnownTopics.Collector().topics()));
    }

    /** Marks the stream every 200 ms, also after so many seconds. */
    private void pass(double seconds, int chunksPerSecond, double usPerSecond) {
        pace.mark(sequence, logUs, nowNs);
        for (int i = 0; i < Math.round(seconds * STEPS_PER_SECOND); i++) {
            nowNs += STEP_NS;
            sequence = (sequence + chunksPerSecond / STEPS_PER_SECOND) & 0xFFFF;
            logUs += Math.round(usPerSecond / STEPS_PER_SECOND);
            pace.mark(sequence, logUs, nowNs);
        }
    }

    @Test
    void isNotKnownInTheFirstSecond() {
        pass(0.8, 1000, 2e6);

        assertThat(pace.chunksPerSecond()).isZero();
        assertThat(pace.usPerSecond()).isEqualTo(1e6);
    }

    @Test
    void isThatOfTheStreamAfterwards() {
        pass(1, 1000, 2e6);

        assertThat(pace.chunksPerSecond()).isEqualTo(1000);
        assertThat(pace.usPerSecond()).isEqualTo(2e6);
    }

    @Test
    void isThatOfTheLastSeconds() {
        pass(20, 1000, 2e6);
        pass(12, 100, 1e6);

        assertThat(pace.chunksPerSecond()).isEqualTo(100);
        assertThat(pace.usPerSecond()).isEqualTo(1e6);
    }

    /** Else a program that is killed soon after its start leaves a pace by which the next one does not continue its log. */
    @Test
    void aBurstAtTheStartDoesNotReplaceThePaceOfAnEarlierRun() {
        resume(200, 1e6);
        pass(1.4, 1000, 5e6);
        assertThat(pace.chunksPerSecond()).isEqualTo(200);
        assertThat(pace.usPerSecond()).isEqualTo(1e6);

        pass(12, 100, 2e6);
        assertThat(pace.chunksPerSecond()).isEqualTo(100);
        assertThat(pace.usPerSecond()).isEqualTo(2e6);
    }
}
