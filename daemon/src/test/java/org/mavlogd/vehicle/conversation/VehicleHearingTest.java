package org.mavlogd.vehicle.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VehicleHearingTest {
    private static final long END_MS = 1L << 32;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final VehicleHearing hearing = new VehicleHearing();

    @Test
    void takesAStepBackForAReboot() {
        assertThat(hearing.isReboot(90_000, 0)).isFalse();
        assertThat(hearing.isReboot(91_000, SECOND_NS)).isFalse();
        assertThat(hearing.isReboot(90_500, SECOND_NS)).isFalse();
        assertThat(hearing.isReboot(3_000, 6 * SECOND_NS)).isTrue();
    }

    @Test
    void goesOnWhenTheNumberBeginsAnewAfter49Days() {
        assertThat(hearing.isReboot(END_MS - 600, 0)).isFalse();
        assertThat(hearing.isReboot(400, SECOND_NS)).isFalse();
        assertThat(hearing.isReboot(1_400, 2 * SECOND_NS)).isFalse();
    }

    @Test
    void goesOnWhenTheNumberBeganAnewDuringAnOutage() {
        assertThat(hearing.isReboot(END_MS - 20_000, 0)).isFalse();
        assertThat(hearing.isReboot(70_000, 90 * SECOND_NS)).isFalse();
    }

    @Test
    void seesARebootAlsoShortlyBeforeTheNumbersEnd() {
        assertThat(hearing.isReboot(END_MS - 60_000, 0)).isFalse();
        assertThat(hearing.isReboot(5_000, 8 * SECOND_NS)).isTrue();
    }
}
