package org.mavlogd.setup;

import java.util.Optional;

/**
 * The data received on a port during its test, at one baud rate.
 *
 * @param openProblem why the port could not be opened; empty if it was
 * @param bytes received
 * @param frames valid MAVLink frames among them
 * @param text the first bytes, if nearly all are printable; else empty
 * @param others senders of frames that are not PX4 or ArduPilot, in words; empty if there are none
 * @param stream result of requesting the log
 */
public record Heard(
        String openProblem,
        long bytes,
        long frames,
        String text,
        String others,
        Optional<Vehicle> vehicle,
        LogStream stream) {
    boolean isText() {
        return !text.isEmpty();
    }
}
