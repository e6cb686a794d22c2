package org.mavlogd.contain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RetryDelayTest {
    private static final long S = 1_000_000_000;

    @Test
    void doublesUpToTheLongestAndStaysThere() {
        RetryDelay delay = new RetryDelay(S, 30 * S);
        long[] expected = {1, 2, 4, 8, 16, 30, 30, 30};

        assertThat(delay.isOver(-5)).isTrue();
        for (long seconds : expected) {
            delay.failed(1000);
            assertThat(delay.isOver(1000 + seconds * S - 1)).isFalse();
            assertThat(delay.isOver(1000 + seconds * S)).isTrue();
        }
    }

    @Test
    void staysAtTheLongestForEver() {
        RetryDelay delay = new RetryDelay(3, 60 * S);

        for (int i = 0; i < 1000; i++) {
            delay.failed(0);
        }

        assertThat(delay.endNs()).isEqualTo(60 * S);
    }

    @Test
    void hasNoDelayAfterFreeFailures() {
        RetryDelay delay = new RetryDelay(1, S, 30 * S);

        delay.failed(7);
        assertThat(delay.isOver(7)).isTrue();
        delay.failed(7);
        assertThat(delay.isOver(7 + S - 1)).isFalse();
        assertThat(delay.isOver(7 + S)).isTrue();
    }

    @Test
    void startsOverAfterSteadyWorkOnly() {
        RetryDelay delay = new RetryDelay(S, 30 * S);
        delay.failed(0);
        delay.failed(0);

        delay.failedAfter(RetryDelay.STEADY_NS - 1, 0);
        assertThat(delay.endNs()).isEqualTo(4 * S);

        delay.failedAfter(RetryDelay.STEADY_NS, 0);
        assertThat(delay.endNs()).isEqualTo(S);
    }

    @Test
    void postponingAndSkippingAreNoFailures() {
        RetryDelay delay = new RetryDelay(S, 30 * S);
        delay.postpone(0);
        assertThat(delay.isOver(S - 1)).isFalse();

        delay.skip();
        assertThat(delay.isOver(0)).isTrue();

        delay.failed(0);
        assertThat(delay.endNs()).isEqualTo(S);
    }

    @Test
    void refusesDelaysThatMakeNoSense() {
        assertThatThrownBy(() -> new RetryDelay(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RetryDelay(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
