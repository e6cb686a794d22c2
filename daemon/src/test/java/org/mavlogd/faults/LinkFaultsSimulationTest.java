package org.mavlogd.faults;

import org.junit.jupiter.api.Test;

/** Bad links, and vehicles that reboot, in virtual time. */
class LinkFaultsSimulationTest {
    @Test
    void whateverArrivesWholeOverABadLinkIsStored() throws Exception {
        Trial.of(new BadLinkFault());
    }

    @Test
    void aHundredRebootsMakeOneFileForEachLog() throws Exception {
        Trial.of(new RebootFault());
    }

    @Test
    void memoryDoesNotGrowWithTheHours() throws Exception {
        Trial.of(new LongServiceFault());
    }
}
