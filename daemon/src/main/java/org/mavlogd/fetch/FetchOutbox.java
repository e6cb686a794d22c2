package org.mavlogd.fetch;

/** Sends messages to the vehicle. */
@FunctionalInterface
public interface FetchOutbox {
    /**
     * Sends one message at once, in a frame.
     *
     * @param payload valid during the call only
     */
    void send(int messageId, byte[] payload, int length);
}
