package org.mavlogd.fetch;

/** Sends messages to the vehicle. */
@FunctionalInterface
public interface FetchOutbox {
    /**
     * One message; it is framed and sent at once.
     *
     * @param payload valid during the call only
     */
    void send(int messageId, byte[] payload, int length);
}
