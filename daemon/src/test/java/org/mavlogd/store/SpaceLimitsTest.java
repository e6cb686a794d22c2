package org.mavlogd.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SpaceLimitsTest {
    private static final long MEBI = 1 << 20;

    private static long spareBytes(SpaceLimits limits, int totalMib, int usableMib) throws IOException {
        FakeDisk disk = new FakeDisk();
        disk.capacity(totalMib * MEBI);
        disk.create("other").write(ByteBuffer.allocate((int) ((totalMib - usableMib) * MEBI)));
        return limits.spareBytes(disk);
    }

    @Test
    void whatIsWantedFreeIsNotSpare() throws IOException {
        SpaceLimits limits = new SpaceLimits(3 * MEBI, 0, 0, MEBI);

        assertEquals(2 * MEBI, spareBytes(limits, 32, 5));
        assertEquals(-2 * MEBI, spareBytes(limits, 32, 1));
    }

    @Test
    void aSmallDiskHasSmallLevels() throws IOException {
        SpaceLimits limits = new SpaceLimits(1024 * MEBI, 0, 0, 64 * MEBI);

        assertEquals(3 * MEBI, spareBytes(limits, 32, 7));
    }

    @Test
    void whereNothingIsDeletedRecordingStillNeedsItsReserve() throws IOException {
        SpaceLimits limits = new SpaceLimits(0, 0, 0, MEBI);

        assertEquals(7 * MEBI - (256 << 10), spareBytes(limits, 32, 8));
    }
}
