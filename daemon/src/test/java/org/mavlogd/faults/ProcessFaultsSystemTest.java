package org.mavlogd.faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program is killed, paused, starved of resources, and its clock is stepped. */
@Timeout(400)
class ProcessFaultsSystemTest {
    @Test
    void aKilledRecorderGoesOnInTheSameFile() throws Exception {
        Trial.of(new KillFault());
    }

    @Test
    void aKilledRecorderGoesOnInTheSameFileOfBlocks() throws Exception {
        Trial.of(new BlockKillFault());
    }

    @Test
    void aStoppedRecorderCountsWhatItMissed() throws Exception {
        Trial.of(new ScarcityFaults.Stopped());
    }

    @Test
    void aQuarterOfACoreIsEnoughToCountEverything() throws Exception {
        Trial.of(new ScarcityFaults.QuarterCore());
    }

    @Test
    void aSmallMemoryIsEnoughToCountEverything() throws Exception {
        Trial.of(new ScarcityFaults.SmallMemory());
    }

    @Test
    void aVehicleUnderSiegeLosesNothing() throws Exception {
        Trial.of(new SiegeFault());
    }

    @Test
    void clockStepsCostNothing() throws Exception {
        Trial.of(new ClockStepFault());
    }
}
