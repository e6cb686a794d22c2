package org.mavlogd.simulate;

/** Frames a payload and sends it in the vehicle's name. */
@FunctionalInterface
public interface PayloadSender {
    /** Returns the length of the frame; 0 when the vehicle says nothing now. */
    int send(int messageId, byte[] payload, int length);
}
