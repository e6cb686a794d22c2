package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CadenceTest {
    private static final long START_NS = Long.MAX_VALUE - 5; // nanoTime may overflow

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final Cadence cadence = new Cadence(false, START_NS);

    @Test
    void roundWithoutBytesIsQuiet() {
        assertThat(cadence.hasReceived()).isFalse();
    }

    @Test
    void roundWithBytesCountsOnce() {
        cadence.received(1);
        cadence.received(1);

        assertThat(cadence.hasReceived()).isTrue();

        cadence.endRound(START_NS);

        assertThat(cadence.hasReceived()).isFalse();
    }

    @Test
    void framesThatASleepWouldGatherByTwosAreWaitedFor() {
        cadence.received(3);
        cadence.endRound(START_NS + 3 * Cadence.GATHER_NS / 2);

        assertThat(cadence.pauseNs(false, true)).isEqualTo(Cadence.GATHER_NS);
    }

    @Test
    void aStreamGathersForLonger() {
        Cadence stream = new Cadence(true, START_NS);
        stream.received(3);
        stream.endRound(START_NS + Cadence.STREAM_GATHER_NS);

        assertThat(stream.pauseNs(false, true)).isEqualTo(Cadence.STREAM_GATHER_NS);
        assertThat(stream.pauseNs(false, false)).isZero();
    }

    /** A read of a serial port returns 4095 bytes at most, so a pause after each would limit a fast port. */
    @Test
    void afterALongReadOfASerialPortNothingGathers() {
        Cadence serial = new Cadence(true, START_NS);

        assertThat(serial.serialPauseNs(1000, true)).isEqualTo(Cadence.STREAM_GATHER_NS);
        assertThat(serial.serialPauseNs(1000, false)).isEqualTo(Cadence.GATHER_NS);
        assertThat(serial.serialPauseNs(4095, true)).isZero();
    }

    @Test
    void framesThatComeOneByOneAreNot() {
        cadence.received(1);
        cadence.endRound(START_NS + Cadence.GATHER_NS / 2 + 1);

        assertThat(cadence.pauseNs(false, true)).isZero();
    }

    /** Bytes for which other programs wait are gathered only briefly. */
    @Test
    void whatOthersWaitForGathersBriefly() {
        cadence.received(2);
        cadence.endRound(START_NS + Cadence.BRIEF_GATHER_NS);

        assertThat(cadence.briefPauseNs()).isEqualTo(Cadence.BRIEF_GATHER_NS);

        cadence.received(1);
        cadence.endRound(START_NS + Cadence.BRIEF_GATHER_NS + Cadence.BRIEF_GATHER_NS / 2 + 1);

        assertThat(cadence.briefPauseNs()).isZero();
    }

    @Test
    void nothingIsWaitedForBeforeTheFirstRound() {
        assertThat(cadence.pauseNs(false, true)).isZero();
        assertThat(cadence.pauseNs(true, true)).isZero();
        assertThat(cadence.briefPauseNs()).isZero();
    }

    @Test
    void howDenselyTheyComeIsThatOfTheLastRound() {
        cadence.received(1);
        cadence.endRound(START_NS + Cadence.GATHER_NS);
        cadence.received(1);
        cadence.endRound(START_NS + Cadence.GATHER_NS + 1);

        assertThat(cadence.pauseNs(false, true)).isEqualTo(Cadence.GATHER_NS);
    }

    @Test
    void thePatientWaitForFramesThatComeRarely() {
        cadence.received(1);
        cadence.endRound(START_NS + Cadence.PATIENT_GATHER_NS / 2);

        assertThat(cadence.pauseNs(true, true)).isEqualTo(Cadence.PATIENT_GATHER_NS);

        cadence.received(1);
        cadence.endRound(START_NS + Cadence.PATIENT_GATHER_NS + 1);

        assertThat(cadence.pauseNs(true, true)).isZero();
    }

    @Test
    void nobodyWaitsForMoreFramesThanAreWorthIt() {
        cadence.received(10);
        cadence.endRound(START_NS + 10 * MILLISECOND);

        assertThat(cadence.pauseNs(true, true)).isEqualTo(16 * MILLISECOND);

        cadence.received(1000);
        cadence.endRound(START_NS + 20 * MILLISECOND);

        assertThat(cadence.pauseNs(true, true)).isEqualTo(Cadence.GATHER_NS);
    }

    @Test
    void ticksEveryTwentyMillisecondsWhileBusy() {
        assertThat(cadence.isTickDue(START_NS + Cadence.BUSY_TICK_NS - 1)).isFalse();
        assertThat(cadence.isTickDue(START_NS + Cadence.BUSY_TICK_NS)).isTrue();

        cadence.ticked(START_NS + Cadence.BUSY_TICK_NS);

        assertThat(cadence.isTickDue(START_NS + Cadence.BUSY_TICK_NS)).isFalse();
        assertThat(cadence.isTickDue(START_NS + 2 * Cadence.BUSY_TICK_NS)).isTrue();
    }

    @Test
    void quietTicksComeOftenEnoughForListeners() {
        assertThat(Cadence.QUIET_TICK_NS).isBetween(50_000_000L, 100_000_000L);
        assertThat(Cadence.GATHER_NS).isLessThan(Cadence.BUSY_TICK_NS);
        assertThat(Cadence.STREAM_GATHER_NS).isLessThan(Cadence.BUSY_TICK_NS);
        assertThat(Cadence.PATIENT_GATHER_NS).isLessThan(Cadence.UNHURRIED_TICK_NS);
    }
}
