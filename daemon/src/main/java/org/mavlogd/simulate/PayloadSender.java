package org.mavlogd.simulate;

/** Frames a payload and sends it in the vehicle's name. */
@FunctionalInterface
interface PayloadSender {
    void send(int messageId, byte[] payload, int length);
}
