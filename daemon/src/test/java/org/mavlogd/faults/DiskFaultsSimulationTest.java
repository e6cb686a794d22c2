package org.mavlogd.faults;

import org.junit.jupiter.api.Test;

/** Failing disks in virtual time. */
class DiskFaultsSimulationTest {
    @Test
    void anyFailingOperationCostsOnlyWhatIsCountedAndIsTold() throws Exception {
        Trial.of(new DiskOperationFault());
    }

    @Test
    void anyFailingOperationCostsAnArduPilotsLogOnlyWhatIsCountedAndIsTold() throws Exception {
        Trial.of(new BlockDiskOperationFault());
    }
}
