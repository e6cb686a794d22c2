package org.mavlogd.simulate;

/** Takes the frames that a simulated vehicle sends. Hot path. */
@FunctionalInterface
public interface VehicleOutput {
    /** One complete frame; the buffer is valid during the call only. */
    void send(byte[] frame, int offset, int length);
}
