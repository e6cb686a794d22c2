package org.mavlogd.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClockFitTest {
    @ParameterizedTest
    @CsvSource({
        "1000000, 42000000",
        "1000999, 42000000",
        "1001000, 42000001",
        "999999, 41999999",
        "-41999000000, 0",
        "-42000000000, -1000",
        "3601000000000, 3643179049"
    })
    void carriesTheLineToBothSidesAndRoundsDown(long ns, long us) {
        ClockFit fit = new ClockFit(1_000_000, 42_000_000, ns > 1_000_000_000 ? 1.00005 : 1, false);

        assertThat(fit.vehicleUsAt(ns)).isEqualTo(us);
    }

    @Test
    void neverRunsBackwards() {
        ClockFit fit = new ClockFit(77, 5, 0.9, true);
        for (long ns = -5_000; ns < 5_000; ns++) {
            assertThat(fit.vehicleUsAt(ns + 1)).isGreaterThanOrEqualTo(fit.vehicleUsAt(ns));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesClocksThatDoNotRunForwards(double rate) {
        assertThatThrownBy(() -> new ClockFit(0, 0, rate, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(rate));
    }
}
