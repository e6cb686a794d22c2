package org.mavlogd.dataflash;

import java.io.IOException;

/** What a record of a known name says besides its values. */
@FunctionalInterface
interface RecordMeaning {
    /** Tells it to the mapped log. */
    void tell(byte[] buffer, int offset, long timeUs) throws IOException;
}
