package org.mavlogd.fetch;

import java.util.OptionalInt;

/** Reads one log. */
interface Transfer extends Exchange {
    /** What the vehicle computed of the whole file, once the exchange is done. */
    OptionalInt checksum();
}
