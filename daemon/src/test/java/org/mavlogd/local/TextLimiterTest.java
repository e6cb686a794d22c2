package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TextLimiterTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int CAMERA = 3;
    private static final int SERIAL = 5;

    private final TextLimiter limiter = new TextLimiter(new TextLimiter.Limits(10, 5));
    private final List<String> reports = new ArrayList<>();

    private int admitted(int tag, int texts, long atNs) {
        int count = 0;
        for (int i = 0; i < texts; i++) {
            count += limiter.admit(tag, atNs) ? 1 : 0;
        }
        return count;
    }

    private void tell() {
        reports.clear();
        limiter.tell((tag, count, lastNs) -> reports.add(tag + ": " + count + " until " + lastNs));
    }

    @Test
    void letsABurstPassAndThenTheRate() {
        assertThat(admitted(CAMERA, 20, 0)).isEqualTo(5);
        assertThat(admitted(CAMERA, 20, SECOND_NS / 2)).isEqualTo(5);
        assertThat(admitted(CAMERA, 20, SECOND_NS * 6 / 10)).isEqualTo(1);
        assertThat(admitted(CAMERA, 20, SECOND_NS * 1000)).isEqualTo(5);
    }

    @Test
    void oneTagDoesNotCostAnother() {
        admitted(CAMERA, 100, 0);

        assertThat(admitted(SERIAL, 5, 0)).isEqualTo(5);
    }

    @Test
    void tellsHowManyWereLeftOutOnce() {
        admitted(CAMERA, 8, 7);
        admitted(SERIAL, 6, 9);
        tell();
        assertThat(reports).containsExactlyInAnyOrder("3: 3 until 7", "5: 1 until 9");

        tell();
        assertThat(reports).isEmpty();
    }

    @Test
    void keepsTheCountUntilItCouldBeTold() {
        admitted(CAMERA, 8, 7);
        limiter.tell((tag, count, lastNs) -> false);
        limiter.leaveOut(CAMERA, 8);

        tell();

        assertThat(reports).containsExactly("3: 4 until 8");
    }

    @Test
    void timeThatGoesBackBringsNothing() {
        admitted(CAMERA, 5, 10 * SECOND_NS);

        assertThat(admitted(CAMERA, 5, 0)).isZero();
        assertThat(admitted(CAMERA, 5, 10 * SECOND_NS)).isZero();
        assertThat(admitted(CAMERA, 5, 11 * SECOND_NS)).isEqualTo(5);
        assertThat(admitted(CAMERA, 1, Long.MAX_VALUE)).isEqualTo(1);
    }

    @Test
    void timesMayPassTheEndOfTheirRange() {
        assertThat(admitted(CAMERA, 9, Long.MAX_VALUE - 10)).isEqualTo(5);
        assertThat(admitted(CAMERA, 9, Long.MAX_VALUE - 10 + SECOND_NS)).isEqualTo(5);
    }
}
