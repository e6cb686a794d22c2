package org.mavlogd.fleet;

import java.time.Instant;
import java.util.Optional;
import org.mavlogd.fleet.state.Version;

/**
 * A finished file in the log directory.
 *
 * @param log name of its log, the same for all files of the log
 * @param systemId of the vehicle; 0 for none
 * @param number of the log, which gives the order of logs
 * @param begin start in UTC; empty if the clock was not set
 * @param hasCrash whether the log has crash data
 * @param isLogComplete whether all files of the log are finished
 * @param isToldByOther whether another file of the log has the same contents: the {@code .ulg} next to a {@code .bin}
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
    /** The extension, such as {@code .ulg}. */
    String kind() {
        return name.substring(name.lastIndexOf('.'));
    }

    boolean isTelemetry() {
        return kind().equals(".tlog");
    }
}
