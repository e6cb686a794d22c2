package org.mavlogd.vehicle.px4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mavlogd.vehicle.px4.LogStream.SequenceTracker.Verdict.AHEAD;
import static org.mavlogd.vehicle.px4.LogStream.SequenceTracker.Verdict.LATE;
import static org.mavlogd.vehicle.px4.LogStream.SequenceTracker.Verdict.REPEAT;
import static org.mavlogd.vehicle.px4.LogStream.SequenceTracker.Verdict.STALE;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTrackerTest {
    private static final int RANGE = 1 << 16;

    private final LogStream.SequenceTracker tracker = new LogStream.SequenceTracker();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 32767, 32768, 65535})
    void judgesByTheDistanceToTheHighest(int highest) {
        assertThat(tracker.judge(highest)).isEqualTo(AHEAD);
        tracker.accept(highest);

        assertThat(tracker.judge(highest)).isEqualTo(REPEAT);
        assertThat(tracker.judge((highest + 1) % RANGE)).isEqualTo(AHEAD);
        assertThat(tracker.judge((highest + 32767) % RANGE)).isEqualTo(AHEAD);
        assertThat(tracker.judge((highest + 32768) % RANGE)).isEqualTo(STALE);
        assertThat(tracker.judge((highest - 64 + RANGE) % RANGE)).isEqualTo(STALE);
        assertThat(tracker.judge((highest - 63 + RANGE) % RANGE)).isEqualTo(LATE);
        assertThat(tracker.judge((highest - 1 + RANGE) % RANGE)).isEqualTo(LATE);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 63, 64, 65, 1000})
    void remembersWhatWasAcceptedWithinTheWindow(int step) {
        int first = 65_500;
        tracker.accept(first);
        tracker.accept((first + step) % RANGE);

        assertThat(tracker.judge(first)).isEqualTo(step < LogStream.SequenceTracker.WINDOW ? REPEAT : STALE);
        assertThat(tracker.judge((first + step - 1) % RANGE)).isEqualTo(LATE);
        tracker.accept((first + step - 1) % RANGE);
        assertThat(tracker.judge((first + step - 1) % RANGE)).isEqualTo(REPEAT);
        assertThat(tracker.judge((first + step) % RANGE)).isEqualTo(REPEAT);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1000, 32768})
    void takesAStaleNumberAsTheNewHighest(int behind) {
        tracker.accept(40_000);

        tracker.accept(40_000 - behind);

        assertThat(tracker.judge(40_000 - behind)).isEqualTo(REPEAT);
        assertThat(tracker.judge(40_000 - behind + 1)).isEqualTo(AHEAD);
    }

    @Test
    void keepsWhatItRemembersWhenTheHighestIsAcceptedAgain() {
        tracker.accept(10);
        tracker.accept(11);

        tracker.accept(11);

        assertThat(tracker.judge(10)).isEqualTo(REPEAT);
    }

    @Test
    void remembersNothingFromBeforeAStepOfAWholeWindow() {
        tracker.accept(9);
        tracker.accept(10);

        tracker.accept(10 + LogStream.SequenceTracker.WINDOW);

        assertThat(tracker.judge(10 + LogStream.SequenceTracker.WINDOW - 1)).isEqualTo(LATE);
    }

    @Test
    void beginsAnewAfterAReset() {
        tracker.accept(10);

        tracker.reset();

        assertThat(tracker.judge(10)).isEqualTo(AHEAD);
        tracker.accept(11);
        assertThat(tracker.judge(10)).isEqualTo(LATE);
    }
}
