package org.mavlogd.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * One thread reads a counter while another increments it. It never reads half of a number, or a number smaller than
 * before.
 */
@JCStressTest
@Outcome(
        id = {"0, 0", "0, 4294967297", "0, 8589934594", "4294967297, 4294967297", "4294967297, 8589934594"},
        expect = ACCEPTABLE,
        desc = "grows")
@Outcome(id = "8589934594, 8589934594", expect = ACCEPTABLE, desc = "read afterwards")
@Outcome(expect = FORBIDDEN, desc = "torn, or shrinks")
@State
public class CounterStressTest {
    /** Each step changes both halves of the number. */
    private static final long STEP = 0x1_0000_0001L;

    private final Counter counter = new Counter();

    @Actor
    public void owner() {
        counter.add(STEP);
        counter.add(STEP);
    }

    @Actor
    public void reader(LL_Result result) {
        result.r1 = counter.get();
        result.r2 = counter.get();
    }
}
