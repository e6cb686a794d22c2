package org.mavlogd.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RotationPolicyTest {
    @Test
    void noFileIsLongerThanItMayBe() {
        StoreSettings.RotationPolicy policy = new StoreSettings.RotationPolicy(1000, 0);

        assertThat(policy.isDue(900, 100, 100, 0)).isFalse();
        assertThat(policy.isDue(900, 100, 101, 0)).isTrue();
        assertThat(policy.isDue(1000, 100, 1, Long.MAX_VALUE)).isTrue();
    }

    @Test
    void aLargeHeadDoesNotMakeAFileOfEachMessage() {
        StoreSettings.RotationPolicy policy = new StoreSettings.RotationPolicy(1000, 0);

        assertThat(policy.isDue(1599, 800, 10, 0)).isFalse();
        assertThat(policy.isDue(1600, 800, 10, 0)).isTrue();
        assertThat(policy.isDue(5000, 5000, 10, 0)).isFalse();
    }

    @Test
    void aFileGetsOldOnlyWithData() {
        StoreSettings.RotationPolicy policy = new StoreSettings.RotationPolicy(0, 60);

        assertThat(policy.isDue(101, 100, 10, 59)).isFalse();
        assertThat(policy.isDue(101, 100, 10, 60)).isTrue();
        assertThat(policy.isDue(100, 100, 10, 1000)).isFalse();
    }

    @Test
    void withoutLimitsThereIsOneFile() {
        assertThat(StoreSettings.RotationPolicy.NEVER.isDue(Long.MAX_VALUE - 100, 1, 100, Long.MAX_VALUE))
                .isFalse();
    }
}
