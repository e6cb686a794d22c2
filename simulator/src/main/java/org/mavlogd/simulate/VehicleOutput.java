package org.mavlogd.simulate;

/** Receives the frames that a simulated vehicle sends. Hot path. */
@FunctionalInterface
public interface VehicleOutput {
    /** Takes one complete frame; the buffer is valid only during the call. */
    void send(byte[] frame, int offset, int length);
}
