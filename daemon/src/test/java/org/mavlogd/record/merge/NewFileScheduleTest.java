package org.mavlogd.record.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NewFileScheduleTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STEP_NS = SECOND_NS / 10;
    // Times of the monotonic clock may be negative, and overflow.
    private static final long START_NS = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(7);

    private final NewFileSchedule schedule = new NewFileSchedule();
    private long nowNs = START_NS;

    /** Requests a file again and again for this time; returns how many were started. */
    private int wantFor(long durationNs) {
        int files = 0;
        for (long passedNs = 0; passedNs < durationNs; passedNs += STEP_NS) {
            nowNs += STEP_NS;
            schedule.want(nowNs);
            if (schedule.isDue(nowNs)) {
                schedule.began(nowNs);
                files++;
            }
        }
        return files;
    }

    @Test
    void nothingIsDueUnlessWanted() {
        assertThat(schedule.isDue(nowNs)).isFalse();
        assertThat(schedule.isSoon(nowNs)).isTrue();
    }

    @Test
    void firstFileIsDueASecondAfterTheFirstTopicHoweverManyFollow() {
        schedule.want(nowNs);
        schedule.want(nowNs + SECOND_NS - 1);

        assertThat(schedule.isDue(nowNs + SECOND_NS - 1)).isFalse();
        assertThat(schedule.isDue(nowNs + SECOND_NS)).isTrue();
    }

    @Test
    void secondFileIsDueTenSecondsAfterTheFirst() {
        assertThat(wantFor(2 * SECOND_NS)).isEqualTo(1);

        assertThat(wantFor(8 * SECOND_NS)).isZero();
        assertThat(schedule.isSoon(nowNs)).isTrue();
        assertThat(wantFor(2 * SECOND_NS)).isEqualTo(1);
    }

    @Test
    void afterABurstFilesBeginEveryTenMinutesOnly() {
        assertThat(wantFor(100 * SECOND_NS)).isEqualTo(NewFileSchedule.BURST);

        assertThat(schedule.isSoon(nowNs)).isFalse();
        assertThat(wantFor(6 * NewFileSchedule.REFILL_NS)).isEqualTo(6);
        assertThat(schedule.isSoon(nowNs)).isFalse();
    }

    @Test
    void aQuietHourGivesTheWholeBurstBackAndNoMore() {
        wantFor(100 * SECOND_NS);
        NewFileSchedule quiet = schedule;
        nowNs += 20 * NewFileSchedule.REFILL_NS;

        assertThat(quiet.isSoon(nowNs)).isTrue();
        assertThat(wantFor(100 * SECOND_NS)).isBetween(NewFileSchedule.BURST, NewFileSchedule.BURST + 1);
    }

    @Test
    void afterAFailureItIsDueASecondLater() {
        schedule.want(nowNs);
        nowNs += SECOND_NS;
        schedule.failed(nowNs);

        assertThat(schedule.isDue(nowNs)).isFalse();
        assertThat(schedule.isDue(nowNs + SECOND_NS)).isTrue();
        assertThat(schedule.isWanted()).isTrue();
    }
}
