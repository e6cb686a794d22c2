package org.mavlogd.signing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final SignatureGate.Refusals refusals = new SignatureGate.Refusals();
    private long nowNs = 1;

    private void refuse(SignatureGate.Refusals.Cause cause, int times) {
        for (int i = 0; i < times; i++) {
            refusals.refused(cause, nowNs);
        }
    }

    @Test
    void someRefusedFramesAreNoProblemAndManyAre() {
        refuse(SignatureGate.Refusals.Cause.WRONG, SignatureGate.Refusals.MANY - 1);
        assertThat(refusals.problem(nowNs)).isEmpty();

        refuse(SignatureGate.Refusals.Cause.WRONG, 1);

        assertThat(refusals.problem(nowNs)).contains("key_file");
    }

    @Test
    void forgedFramesAmongGoodOnesAreNoProblem() {
        for (int i = 0; i < 100; i++) {
            refusals.accepted(nowNs);
            refuse(SignatureGate.Refusals.Cause.WRONG, 50);
            assertThat(refusals.problem(nowNs)).isEmpty();
            nowNs += SignatureGate.Refusals.RECENT_NS / 10;
        }
        nowNs += SignatureGate.Refusals.RECENT_NS;
        refuse(SignatureGate.Refusals.Cause.WRONG, 1);
        assertThat(refusals.problem(nowNs)).isNotEmpty();
    }

    @Test
    void problemEndsWhenFramesAreAcceptedOrNoneComes() {
        refuse(SignatureGate.Refusals.Cause.UNSIGNED, 50);
        assertThat(refusals.problem(nowNs)).contains("not signed");
        assertThat(refusals.problem(nowNs + SignatureGate.Refusals.RECENT_NS)).isEmpty();

        refusals.accepted(nowNs);

        assertThat(refusals.problem(nowNs)).isEmpty();
    }
}
