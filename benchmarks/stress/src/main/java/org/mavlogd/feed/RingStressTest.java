package org.mavlogd.feed;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.agrona.concurrent.MessageHandler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A link adds log data while the recorder takes it, at each switch from the small ring to the large one and back.
 * Nothing is lost, duplicated, reordered or partly written.
 */
public final class RingStressTest {
    private static final int TYPE = 1;
    private static final int FIRST_BYTES = 64; // four records
    private static final int SPILL_BYTES = 256;

    private RingStressTest() {}

    /** Writes the numbers 0, 1, 2... as records, and expects them in that order. */
    private abstract static class Records {
        private final Ring ring = new Ring(FIRST_BYTES, SPILL_BYTES);
        private int next;
        private int expected;
        private boolean isWrong;
        private final MessageHandler reader = (type, buffer, index, length) -> {
            isWrong |= type != TYPE || length != Long.BYTES || buffer.getLong(index) != -1L - expected;
            expected++;
        };

        final void put(int records) {
            for (int i = 0; i < records; i++) {
                int index = ring.tryClaim(TYPE, Long.BYTES);
                if (index < 0) {
                    throw new AssertionError("full");
                }
                ring.buffer().putLong(index, -1L - next);
                ring.commit(index);
                next++;
            }
        }

        final int take(int times, int limit) {
            int count = 0;
            for (int i = 0; i < times; i++) {
                count += ring.read(reader, limit);
            }
            return count;
        }

        /** Returns 1 when the remaining records and those taken before are all that were written, in order. */
        final int isAll() {
            while (ring.read(reader, Integer.MAX_VALUE) > 0) {
                // until it is empty
            }
            return !isWrong && expected == next && ring.taken() == ring.filled() ? 1 : 0;
        }
    }

    /** The small ring becomes full, and the large one is created. */
    @JCStressTest
    @Outcome(id = "\\d, 1", expect = ACCEPTABLE, desc = "all, in order")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken or half written")
    @State
    public static class Begins extends Records {
        public Begins() {
            put(2);
        }

        @Actor
        public void link(II_Result result) {
            put(4);
        }

        @Actor
        public void recorder(II_Result result) {
            result.r1 = take(3, 2);
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = isAll();
        }
    }

    /** The large ring is emptied, and the small one used again. */
    @JCStressTest
    @Outcome(id = "\\d, 1", expect = ACCEPTABLE, desc = "all, in order")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken or half written")
    @State
    public static class Ends extends Records {
        public Ends() {
            put(5);
            take(1, 3);
        }

        @Actor
        public void link(II_Result result) {
            put(3);
        }

        @Actor
        public void recorder(II_Result result) {
            result.r1 = take(4, 1);
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = isAll();
        }
    }

    /** All waiting records are taken at once, in both rings, while as many come as need the large one again. */
    @JCStressTest
    @Outcome(id = "\\d+, 1", expect = ACCEPTABLE, desc = "all, in order")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled, overtaken or half written")
    @State
    public static class Both extends Records {
        public Both() {
            put(5);
        }

        @Actor
        public void link(II_Result result) {
            put(6);
        }

        @Actor
        public void recorder(II_Result result) {
            result.r1 = take(2, Integer.MAX_VALUE);
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = isAll();
        }
    }
}
