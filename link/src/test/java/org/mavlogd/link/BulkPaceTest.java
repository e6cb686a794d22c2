package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BulkPaceTest {
    private static final long MS = 1_000_000;
    private static final long LONGEST_NS = 80 * MS;
    private static final int LARGE = 4 << 20;
    private static final int LINUX_DEFAULT = 106_496;

    private long nowNs = -5 * MS; // the clock may have any value

    /** Simulates one second with this rate of datagrams; returns the longest interval at its end. */
    private long settle(BulkPace pace, int perSecond) {
        for (long endNs = nowNs + 1_000 * MS; nowNs < endNs; ) {
            long passedNs = pace.intervalNs();
            nowNs += passedNs;
            pace.drained((int) (passedNs * perSecond / (1_000 * MS)), nowNs);
        }
        return pace.intervalNs();
    }

    @Test
    void beginsShortAndGrowsToTheLongest() {
        BulkPace pace = new BulkPace(LARGE, LONGEST_NS, nowNs);

        assertThat(pace.intervalNs()).isEqualTo(BulkPace.SHORTEST_NS);
        assertThat(settle(pace, 200)).isEqualTo(LONGEST_NS);
        assertThat(settle(pace, 20_000)).isEqualTo(LONGEST_NS);
    }

    @Test
    void leavesThreeQuartersOfASmallBufferForBursts() {
        BulkPace pace = new BulkPace(LINUX_DEFAULT, LONGEST_NS, nowNs);
        long held = LINUX_DEFAULT / 512;

        assertThat(settle(pace, 200)).isEqualTo(LONGEST_NS);
        assertThat(settle(pace, 2_000)).isLessThanOrEqualTo(held * 1_000 * MS / 2_000 / 4);
        assertThat(settle(pace, 20_000)).isBetween(BulkPace.SHORTEST_NS, 5 * MS);
    }

    @Test
    void tellsWhenDatagramsCameAsIfEvenlyAndNeverLaterThanNow() {
        BulkPace pace = new BulkPace(LARGE, LONGEST_NS, nowNs);
        settle(pace, 1_000);
        long lastNs = nowNs;
        nowNs += 40 * MS;

        assertThat(pace.arrivalNs(1, nowNs)).isEqualTo(lastNs + MS);
        assertThat(pace.arrivalNs(30, nowNs)).isEqualTo(lastNs + 30 * MS);
        assertThat(pace.arrivalNs(90, nowNs)).isEqualTo(nowNs);
    }

    @Test
    void knowsHowLongNothingCame() {
        BulkPace pace = new BulkPace(LARGE, LONGEST_NS, nowNs);
        nowNs += 100 * MS;
        pace.drained(3, nowNs);
        nowNs += 70 * MS;
        pace.drained(0, nowNs);

        assertThat(pace.silenceNs(nowNs + MS)).isEqualTo(71 * MS);
    }
}
