package org.mavlogd.faults;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real file systems that fail. Most tests need root and loop devices, and are skipped without them. */
@Timeout(120)
class DiskFaultsSystemTest {
    @Test
    void aPowerCutCostsHalfASecondAtMost() throws Exception {
        Trial.of(new PowerCutFault());
    }

    @Test
    void aPowerCutCostsAnArduPilotsLogHalfASecondAtMost() throws Exception {
        Trial.of(new BlockPowerCutFault());
    }

    @Test
    void aFullDiskCostsOldLogsAndThenAPause() throws Exception {
        Trial.of(new StorageFaults.Full());
    }

    @Test
    void tenSecondsOfFrozenStorageCostNothing() throws Exception {
        Trial.of(new StorageFaults.Frozen());
    }

    @Test
    void aDirectoryThatIsReadOnlyAtFirstIsUsedAsSoonAsItCanBe() throws Exception {
        Trial.of(new StorageFaults.ReadOnlyAtStart());
    }

    @Test
    void aDeadMediumIsToldWithinASecondAndItsSuccessorIsUsed() throws Exception {
        Trial.of(new StorageFaults.Dead());
    }
}
