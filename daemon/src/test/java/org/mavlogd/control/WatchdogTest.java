package org.mavlogd.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;

class WatchdogTest {
    /** A publisher that hangs costs its own data; a restart would cost the vehicles' data. */
    @Test
    void aContainedPartThatHangsIsNoComplaintButShowsInItsStatus() {
        long[] rounds = {0};
        ContainedPart part = ContainedPart.unlisted("publish.unix", Recovery.CONTINUES);
        Watchdog watchdog =
                new Watchdog(List.of(), List.of(new Watchdog.Contained(part, () -> rounds[0])), 60 * SECOND, 0);

        assertThat(watchdog.complaint(60 * SECOND)).isEmpty();
        assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.RUNNING);

        assertThat(watchdog.complaint(60 * SECOND + 1)).isEmpty();
        assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.HANGS);

        rounds[0]++;
        assertThat(watchdog.complaint(61 * SECOND)).isEmpty();
        assertThat(part.status().state()).isEqualTo(ContainedPart.Status.State.RUNNING);
    }

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long recorderRounds;
    private long linkAnswers;

    @Test
    void isContentWhileEverythingMoves() {
        Watchdog watchdog = watchdog(0, 10, 0);

        for (int second = 1; second < 100; second++) {
            recorderRounds++;
            linkAnswers++;

            assertThat(watchdog.complaint(second * SECOND)).isEmpty();
        }
    }

    @Test
    void namesThePartThatStandsStill() {
        Watchdog watchdog = watchdog(0, 10, 0);
        recorderRounds++;
        watchdog.complaint(SECOND);
        linkAnswers++;

        assertThat(watchdog.complaint(2 * SECOND)).hasValue("the recorder makes no progress");
    }

    @Test
    void isPatientExactlyAsLongAsItIsTold() {
        Watchdog watchdog = watchdog(0, 10, 0);

        recorderRounds++;
        assertThat(watchdog.complaint(10 * SECOND)).isEmpty();
        recorderRounds++;
        assertThat(watchdog.complaint(10 * SECOND + 1)).hasValue("link \"telem2\" makes no progress");
    }

    @Test
    void forgivesAPartThatGoesOn() {
        Watchdog watchdog = watchdog(0, 10, 0);
        recorderRounds++;
        assertThat(watchdog.complaint(30 * SECOND)).isPresent();

        recorderRounds++;
        linkAnswers++;
        assertThat(watchdog.complaint(31 * SECOND)).isEmpty();
        recorderRounds++;
        assertThat(watchdog.complaint(41 * SECOND)).isEmpty();
    }

    @Test
    void twoPartsThatStopOneAfterTheOtherAreBothNoticed() {
        Watchdog watchdog = watchdog(5, 5, 0);
        recorderRounds++;
        watchdog.complaint(3 * SECOND);
        recorderRounds++;
        assertThat(watchdog.complaint(6 * SECOND))
                .hasValueSatisfying(text -> assertThat(text).contains("telem2"));
        linkAnswers++;

        assertThat(watchdog.complaint(12 * SECOND))
                .hasValueSatisfying(text -> assertThat(text).contains("the recorder"));
    }

    @Test
    void toleratesAClockNearItsWrap() {
        long start = Long.MAX_VALUE - SECOND;
        Watchdog watchdog = watchdog(5, 5, start);

        assertThat(watchdog.complaint(start + 4 * SECOND)).isEmpty();
        assertThat(watchdog.complaint(start + 6 * SECOND)).isPresent();
    }

    private Watchdog watchdog(long recorderPatienceS, long linkPatienceS, long nowNs) {
        return new Watchdog(
                List.of(
                        new Watchdog.Vital("the recorder", () -> recorderRounds, recorderPatienceS * SECOND),
                        new Watchdog.Vital("link \"telem2\"", () -> linkAnswers, linkPatienceS * SECOND)),
                nowNs);
    }
}
