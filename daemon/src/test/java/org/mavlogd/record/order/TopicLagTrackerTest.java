package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicLagTrackerTest {
    private final TopicLagTracker lags = new TopicLagTracker();

    private void learn(int topic, long... lagsUs) {
        for (long lagUs : lagsUs) {
            lags.learn(topic, lagUs);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023})
    void believesATopicAfterFourMessages(int topic) {
        learn(topic, 1000, 1000, 1000);
        assertThat(lags.isReliable(topic)).isFalse();

        learn(topic, 1000);

        assertThat(lags.isReliable(topic)).isTrue();
        assertThat(lags.lagUs(topic)).isEqualTo(1000);
        assertThat(lags.isReliable(topic == 0 ? 1 : topic - 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {TopicLagTracker.NO_TOPIC, Integer.MIN_VALUE, 1024, 65_535})
    void learnsNothingOfTopicsItDoesNotKeep(int topic) {
        learn(topic, 0, 0, 0, 0, 0);

        assertThat(lags.isReliable(topic)).isFalse();
    }

    @Test
    void learnsNothingOfImpossibleLags() {
        learn(5, -1, -1, -1, -1, 1L << 31, 1L << 31, 1L << 31, 1L << 31);
        assertThat(lags.isReliable(5)).isFalse();

        learn(5, 0, 0, 0, 0);

        assertThat(lags.isReliable(5)).isTrue();
        assertThat(lags.lagUs(5)).isZero();
    }

    @Test
    void takesTheLargestLagThatItCanKeep() {
        learn(5, Integer.MAX_VALUE);

        assertThat(lags.lagUs(5)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void followsAnEighthOfTheWay() {
        learn(5, 800, 1600);
        assertThat(lags.lagUs(5)).isEqualTo(900);

        learn(5, 100);

        assertThat(lags.lagUs(5)).isEqualTo(800);
    }

    /** The first deviation equals the lag: a slow topic must first prove steady. */
    @Test
    void believesASlowTopicOnlyOnceItIsSteady() {
        learn(5, 40_000, 40_000, 40_000, 40_000);
        assertThat(lags.isReliable(5)).isFalse();
        int messages = 4;
        while (!lags.isReliable(5)) {
            learn(5, 40_000);
            messages++;
        }

        // 40 ms times (7/8)^15 is 5.4 ms; with (7/8)^14 it is 6.2 ms.
        assertThat(messages).isEqualTo(16);
        assertThat(lags.lagUs(5)).isEqualTo(40_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {6000, 6001})
    void allowsSixMillisecondsOfDeviation(long deviationUs) {
        // Each lag differs from the smoothed one by the deviation so far, which therefore stays.
        learn(5, deviationUs);
        for (int i = 0; i < 3; i++) {
            learn(5, lags.lagUs(5) + deviationUs);
        }

        assertThat(lags.isReliable(5)).isEqualTo(deviationUs == 6000);
    }

    @Test
    void losesFaithInATopicThatBeginsToJump() {
        learn(5, 0, 0, 0, 0);
        assertThat(lags.isReliable(5)).isTrue();

        learn(5, 100_000);

        assertThat(lags.isReliable(5)).isFalse();
        assertThat(lags.lagUs(5)).isEqualTo(12_500);
    }
}
