package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final Refusals refusals = new Refusals();
    private long nowNs = 1;

    private void refuse(Refusals.Cause cause, int times) {
        for (int i = 0; i < times; i++) {
            refusals.refused(cause, nowNs);
        }
    }

    @Test
    void someRefusedFramesAreNoProblemAndManyAre() {
        refuse(Refusals.Cause.WRONG, Refusals.MANY - 1);
        assertThat(refusals.problem(nowNs)).isEmpty();

        refuse(Refusals.Cause.WRONG, 1);

        assertThat(refusals.problem(nowNs)).contains("key_file");
    }

    @Test
    void forgedFramesAmongGoodOnesAreNoProblem() {
        for (int i = 0; i < 100; i++) {
            refusals.accepted(nowNs);
            refuse(Refusals.Cause.WRONG, 50);
            assertThat(refusals.problem(nowNs)).isEmpty();
            nowNs += Refusals.RECENT_NS / 10;
        }
        nowNs += Refusals.RECENT_NS;
        refuse(Refusals.Cause.WRONG, 1);
        assertThat(refusals.problem(nowNs)).isNotEmpty();
    }

    @Test
    void problemEndsWhenFramesAreAcceptedOrNoneComes() {
        refuse(Refusals.Cause.UNSIGNED, 50);
        assertThat(refusals.problem(nowNs)).contains("not signed");
        assertThat(refusals.problem(nowNs + Refusals.RECENT_NS)).isEmpty();

        refusals.accepted(nowNs);

        assertThat(refusals.problem(nowNs)).isEmpty();
    }
}
