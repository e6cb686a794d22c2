package org.mavlogd.simulate.px4;

/**
 * Receives what a simulated vehicle really did with its log: the reference for a recording. All calls come from the
 * vehicle's thread, in the order of events; buffers are valid only during the call. Hot path.
 *
 * <p>The joined bytes of all {@link #onChunk} calls of a session are the session's log, whether or not each chunk was
 * sent ({@link #onChunkDropped}) or arrived.
 */
public interface StreamObserver {
    /** Ignores all calls. */
    StreamObserver NONE = new StreamObserver() {};

    /** The reason for the end of a session. */
    enum SessionEnd {
        /** LOGGING_STOP was received. */
        STOPPED,
        /** An acked chunk was sent 50 times without an answer. */
        GAVE_UP,
        /** The vehicle rebooted. */
        REBOOTED
    }

    /**
     * A session starts; the header is also the start of the first chunk.
     *
     * @param header the 16 bytes of the ULog file header
     */
    default void onSessionStart(byte[] header, long nowNs) {}

    /** The vehicle's logger has finished a chunk, the next bytes of the log; it is not sent yet. */
    default void onChunk(
            int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long nowNs) {}

    /**
     * A chunk is sent.
     *
     * @param attempt 1 for the first time; higher if it is repeated because no acknowledgement arrived
     */
    default void onChunkSent(int sequence, boolean acked, int attempt, long nowNs) {}

    /** A chunk was dropped because the vehicle's own queue was full. */
    default void onChunkDropped(int sequence, long nowNs) {}

    /** The acknowledgement that the logger waits for has arrived. */
    default void onChunkAcked(int sequence, long nowNs) {}

    /**
     * A complete message of the source log was omitted, because its time passed while the logger waited for an
     * acknowledgement.
     */
    default void onMessageSkipped(int length, long nowNs) {}

    /** Log bytes that are in no chunk: the unfinished chunk of a vehicle that does not flush it. */
    default void onTailLost(int length, long nowNs) {}

    /** The session has ended. */
    default void onSessionEnd(SessionEnd end, long nowNs) {}
}
