package org.mavlogd.fleet;

import java.time.Instant;
import java.util.Optional;
import org.mavlogd.fleet.state.Version;

/**
 * A finished file in the log directory.
 *
 * @param log name of the log that it belongs to, the same for all its files
 * @param systemId of the vehicle; 0 for none
 * @param number of the log, which tells the order in which logs began
 * @param begin UTC; empty while the clock was not set
 * @param hasCrash whether the log has crash data
 * @param isLogComplete whether all files of the log are finished
 * @param isToldByOther whether another file of the log says the same: the {@code .ulg} beside a {@code .bin}
 */
record LogFile(
        String name,
        String log,
        int systemId,
        long number,
        Optional<Instant> begin,
        Version version,
        boolean hasCrash,
        boolean isLogComplete,
        boolean isToldByOther) {
    /** What it ends with, such as {@code .ulg}. */
    String kind() {
        return name.substring(name.lastIndexOf('.'));
    }
}
