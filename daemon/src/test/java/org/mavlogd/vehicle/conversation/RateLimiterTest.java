package org.mavlogd.vehicle.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final RateLimiter allowance = new RateLimiter(3, 100);

    private int taken(long nowNs) {
        int taken = 0;
        while (allowance.take(nowNs)) {
            taken++;
        }
        return taken;
    }

    @Test
    void grantsABurstAndThenOneEachInterval() {
        assertThat(taken(1000)).isEqualTo(3);
        assertThat(taken(1099)).isZero();
        assertThat(taken(1100)).isEqualTo(1);
        assertThat(taken(1350)).isEqualTo(2);
        assertThat(taken(1399)).isZero();
        assertThat(taken(1400)).isEqualTo(1);
    }

    @Test
    void savesNoMoreThanABurst() {
        assertThat(taken(0)).isEqualTo(3);
        assertThat(taken(1_000_000_000_000L)).isEqualTo(3);
    }

    @Test
    void lookingTakesNothing() {
        assertThat(allowance.isLeft(0)).isTrue();
        assertThat(allowance.isLeft(0)).isTrue();
        assertThat(taken(0)).isEqualTo(3);
        assertThat(allowance.isLeft(0)).isFalse();
    }
}
