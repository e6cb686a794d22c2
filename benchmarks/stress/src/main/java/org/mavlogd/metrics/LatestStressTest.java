package org.mavlogd.metrics;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A reader of a value sees all that was written before the value was set, and sees values in the order in which they
 * were set.
 */
@JCStressTest
@Outcome(
        id = {"0, 0, 0", "0, 0, 1", "0, 1, 1", "1, 1, 1"},
        expect = ACCEPTABLE,
        desc = "old ones, then new ones")
@Outcome(expect = FORBIDDEN, desc = "an empty value, or an older one after a newer one")
@State
public class LatestStressTest {
    /** Not final on purpose: only {@link Latest} makes it visible. */
    private static final class Value {
        private int content;
    }

    private final Latest<Value> first = new Latest<>(new Value());
    private final Latest<Value> second = new Latest<>(new Value());

    @Actor
    public void owner() {
        first.set(value());
        second.set(value());
    }

    @Actor
    public void reader(III_Result result) {
        result.r1 = second.get().content;
        result.r2 = first.get().content;
        result.r3 = first.get().content;
    }

    private static Value value() {
        Value value = new Value();
        value.content = 1;
        return value;
    }
}
