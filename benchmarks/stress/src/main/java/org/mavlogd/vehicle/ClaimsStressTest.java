package org.mavlogd.vehicle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Links race for a vehicle. It never has two leaders, and a link whose claim succeeds does lead. */
public final class ClaimsStressTest {
    private static final int VEHICLE = 1;

    private ClaimsStressTest() {}

    /** Two links hear a free vehicle at once. */
    @JCStressTest
    @Outcome(
            id = {"true, false, a", "false, true, b"},
            expect = ACCEPTABLE,
            desc = "one has it")
    @Outcome(expect = FORBIDDEN, desc = "both, or none, or not the one that was told so")
    @State
    public static class Free {
        private final VehicleClaims claims = new VehicleClaims();

        @Actor
        public void one(ZZL_Result result) {
            result.r1 = claims.claim(VEHICLE, "a");
        }

        @Actor
        public void other(ZZL_Result result) {
            result.r2 = claims.claim(VEHICLE, "b");
        }

        @Arbiter
        public void owner(ZZL_Result result) {
            result.r3 = claims.owner(VEHICLE);
        }
    }

    /** Two links want a vehicle that a third one offers. */
    @JCStressTest
    @Outcome(
            id = {"true, false, a", "false, true, b"},
            expect = ACCEPTABLE,
            desc = "one has it")
    @Outcome(expect = FORBIDDEN, desc = "both, or none, or not the one that was told so")
    @State
    public static class Offered {
        private final VehicleClaims claims = new VehicleClaims();

        public Offered() {
            claims.claim(VEHICLE, "c");
            claims.offer(VEHICLE, "c");
        }

        @Actor
        public void one(ZZL_Result result) {
            result.r1 = claims.claim(VEHICLE, "a");
        }

        @Actor
        public void other(ZZL_Result result) {
            result.r2 = claims.claim(VEHICLE, "b");
        }

        @Arbiter
        public void owner(ZZL_Result result) {
            result.r3 = claims.owner(VEHICLE);
        }
    }

    /** The owner withdraws its offer while another link accepts it. */
    @JCStressTest
    @Outcome(
            id = {"true, b", "false, a"},
            expect = ACCEPTABLE,
            desc = "taken, or kept")
    @Outcome(expect = FORBIDDEN, desc = "told so without having it, or the other way round")
    @State
    public static class Kept {
        private final VehicleClaims claims = new VehicleClaims();

        public Kept() {
            claims.claim(VEHICLE, "a");
            claims.offer(VEHICLE, "a");
        }

        @Actor
        public void owner() {
            claims.keep(VEHICLE, "a");
        }

        @Actor
        public void other(ZL_Result result) {
            result.r1 = claims.claim(VEHICLE, "b");
        }

        @Arbiter
        public void end(ZL_Result result) {
            result.r2 = claims.owner(VEHICLE);
        }
    }

    /** The owner offers while another link tries to take over. */
    @JCStressTest
    @Outcome(
            id = {"true, b", "false, a"},
            expect = ACCEPTABLE,
            desc = "after the offer, or before")
    @Outcome(expect = FORBIDDEN, desc = "told so without having it, or the other way round")
    @State
    public static class Offering {
        private final VehicleClaims claims = new VehicleClaims();

        public Offering() {
            claims.claim(VEHICLE, "a");
        }

        @Actor
        public void owner() {
            claims.offer(VEHICLE, "a");
        }

        @Actor
        public void other(ZL_Result result) {
            result.r1 = claims.claim(VEHICLE, "b");
        }

        @Arbiter
        public void end(ZL_Result result) {
            result.r2 = claims.owner(VEHICLE);
        }
    }

    /** The owner releases a vehicle that it has offered, while another link takes it. */
    @JCStressTest
    @Outcome(id = "true, b", expect = ACCEPTABLE, desc = "taken")
    @Outcome(id = "false, nobody", expect = ACCEPTABLE_INTERESTING, desc = "free: the next heartbeat takes it")
    @Outcome(expect = FORBIDDEN, desc = "taken from the new owner, or still with the old one")
    @State
    public static class Released {
        private final VehicleClaims claims = new VehicleClaims();

        public Released() {
            claims.claim(VEHICLE, "a");
            claims.offer(VEHICLE, "a");
        }

        @Actor
        public void owner() {
            claims.release(VEHICLE, "a");
        }

        @Actor
        public void other(ZL_Result result) {
            result.r1 = claims.claim(VEHICLE, "b");
        }

        @Arbiter
        public void end(ZL_Result result) {
            String owner = claims.owner(VEHICLE);
            result.r2 = owner.isEmpty() ? "nobody" : owner;
        }
    }
}
