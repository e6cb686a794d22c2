package org.mavlogd.dataflash;

import java.io.IOException;

/** The meaning of a record of a known name besides its values. */
@FunctionalInterface
interface RecordMeaning {
    /** Writes the meaning to the mapped log. */
    void tell(byte[] buffer, int offset, long timeUs) throws IOException;
}
