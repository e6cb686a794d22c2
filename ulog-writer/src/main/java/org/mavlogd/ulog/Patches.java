package org.mavlogd.ulog;

import java.nio.ByteBuffer;

/** What every patchable sink checks of a patch. */
final class Patches {
    private Patches() {}

    static void check(long position, ByteBuffer patch, long end) {
        if (position < 0 || position > end - patch.remaining()) {
            throw new IllegalArgumentException("patch of " + patch.remaining() + " bytes at " + position
                    + " is outside the " + end + " bytes written");
        }
    }
}
