package org.mavlogd.setup;

import java.util.Optional;

/**
 * The data that one port carried while it was tested, at one baud rate.
 *
 * @param openProblem why the port could not be opened; empty when it was
 * @param bytes received
 * @param frames of MAVLink among them, checksums right
 * @param text the first bytes, when nearly all are printable; else empty
 * @param others senders of frames that are no PX4 or ArduPilot, in words; empty when there are none
 * @param stream what came of asking for the log
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
