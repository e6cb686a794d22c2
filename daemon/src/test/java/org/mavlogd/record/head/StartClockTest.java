package org.mavlogd.record.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartClockTest {
    private static final long STARTED_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long BEGIN_MS = Instant.parse("2026-11-21T14:03:59Z").toEpochMilli();
    private static final long HOUR_MS = TimeUnit.HOURS.toMillis(1);

    private final StartClock clock = new StartClock(STARTED_NS);

    private static long after(long ms) {
        return STARTED_NS + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private boolean system(long epochMs, long afterMs) {
        return clock.onSystemTime(epochMs, after(afterMs));
    }

    private boolean vehicle(long epochMs, long afterMs) {
        return clock.onVehicleTime(epochMs * 1000, after(afterMs));
    }

    @Test
    void takesThisComputersTimeWhenItWasSet() {
        assertThat(system(5_000, 0)).isFalse();
        assertThat(clock.isKnown()).isFalse();

        assertThat(system(BEGIN_MS + 7_000, 7_000)).isTrue();

        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);
        assertThat(clock.epochMs(after(1234))).isEqualTo(BEGIN_MS + 1234);
        assertThat(system(BEGIN_MS + 8_000, 8_000)).isFalse();
    }

    @Test
    void takesTheVehiclesTimeWhenThisComputerKnowsNone() {
        system(5_000, 0);

        assertThat(vehicle(BEGIN_MS + 300, 300)).isTrue();
        assertThat(vehicle(BEGIN_MS + 90_000, 310)).isFalse();
        assertThat(system(BEGIN_MS - 90_000, 400)).isFalse();

        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);
    }

    @Test
    void aVehicleWellAheadIsRightForAClockIsNeverAheadOfItself() {
        system(BEGIN_MS - 5 * HOUR_MS, 0);

        assertThat(vehicle(BEGIN_MS - 5 * HOUR_MS - HOUR_MS, 0)).as("behind").isFalse();
        assertThat(vehicle(BEGIN_MS - 5 * HOUR_MS + 59_000, 0)).as("a little").isFalse();
        assertThat(vehicle(BEGIN_MS, 0)).isTrue();

        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);
    }

    @Test
    void followsStepsOfThisComputersClockButNoDrift() {
        system(BEGIN_MS, 0);
        assertThat(system(BEGIN_MS + 10_900, 10_000)).isFalse();
        assertThat(system(BEGIN_MS + 21_800, 20_000)).isFalse();
        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);

        assertThat(system(BEGIN_MS + HOUR_MS + 30_000, 30_000)).isTrue();
        assertThat(clock.startUtcUs()).isEqualTo((BEGIN_MS + HOUR_MS) * 1000);
        assertThat(system(BEGIN_MS + 31_000, 31_000)).isTrue();

        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);
    }

    @Test
    void believesNoTimeThatCannotBe() {
        for (long epochMs : new long[] {
            0,
            -1,
            Instant.parse("2025-12-31T23:59:59Z").toEpochMilli(),
            Instant.parse("2100-01-01T00:00:00Z").toEpochMilli(),
            Long.MAX_VALUE / 1000,
            Long.MIN_VALUE / 1000
        }) {
            assertThat(vehicle(epochMs, 0)).as("%d", epochMs).isFalse();
            assertThat(system(epochMs, 0)).as("%d", epochMs).isFalse();
        }
        system(BEGIN_MS, 0);
        assertThat(system(3_000, 1_000)).as("a set clock that is lost").isFalse();

        assertThat(clock.startUtcUs()).isEqualTo(BEGIN_MS * 1000);
    }
}
