package org.mavlogd.foxglove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages are due at their times, by a clock that waiting advances. */
class FlightPaceTest {
    private static final long START_NS = 77_000_000_000L;

    private long nowNs = START_NS;
    private int ticks;

    private FlightPace pace(double speed) {
        return new FlightPace(speed, () -> nowNs, (positionUs, waitNs) -> {
            ticks++;
            nowNs += waitNs;
        });
    }

    private double seconds() {
        return (nowNs - START_NS) / 1e9;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 3, 100})
    void aFlightTakesAsLongAsItDid(double speed) throws IOException {
        FlightPace pace = pace(speed);
        for (int i = 0; i <= 60_000; i++) {
            pace.await(5_000_000 + i * 1000L);
            double dueS = i / 1000.0 / speed;
            assertThat(seconds()).isBetween(dueS - 0.021, dueS + 0.001);
        }
        assertThat(ticks).isBetween((int) (60 / speed * 10), (int) (60 / speed * 60) + 2);
    }

    @Test
    void gapsAreKeptUpToALimitAndJumpsAreSkipped() throws IOException {
        FlightPace pace = pace(1);
        pace.await(1_000_000);
        pace.await(9_000_000);
        assertThat(seconds()).isBetween(7.9, 8.0);
        pace.await(9_000_000 + TimeUnit.DAYS.toMicros(30));
        pace.await(3_000_000);
        pace.await(4_000_000);
        assertThat(seconds()).isBetween(8.9, 9.05);
    }

    /** Playing ends even if damage has changed times arbitrarily. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noTimeHoldsItUp(long seed) throws IOException {
        Random random = new Random(seed);
        FlightPace pace = pace(1);
        for (int i = 0; i < 10_000; i++) {
            pace.await(random.nextLong() >> random.nextInt(64));
        }
        assertThat(ticks).as("seed " + seed).isLessThan(10_000 * 250);
    }
}
