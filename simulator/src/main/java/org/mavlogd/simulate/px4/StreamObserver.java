package org.mavlogd.simulate.px4;

/**
 * Hears what a simulated vehicle really did with its log: the truth against which a recording is judged. All calls come
 * from the vehicle's thread, in the order of events; buffers are valid during the call only. Hot path.
 *
 * <p>The bytes of all {@link #onChunk} calls of a session, joined, are the session's log, whether or not each chunk was
 * sent ({@link #onChunkDropped}) or arrived.
 */
public interface StreamObserver {
    /** Hears nothing. */
    StreamObserver NONE = new StreamObserver() {};

    /** Why a session ended. */
    enum SessionEnd {
        /** Somebody sent LOGGING_STOP. */
        STOPPED,
        /** An acked chunk was sent 50 times without an answer. */
        GAVE_UP,
        /** The vehicle rebooted. */
        REBOOTED
    }

    /**
     * A session begins; the header is also the start of the first chunk.
     *
     * @param header the 16 bytes of the ULog file header
     */
    default void onSessionStart(byte[] header, long nowNs) {}

    /** The vehicle's logger has finished a chunk: the next bytes of the log. Not sent yet. */
    default void onChunk(
            int sequence, boolean acked, int firstMessageOffset, byte[] data, int offset, int length, long nowNs) {}

    /**
     * A chunk goes out.
     *
     * @param attempt 1 for the first time, more when it is repeated because no acknowledgement came
     */
    default void onChunkSent(int sequence, boolean acked, int attempt, long nowNs) {}

    /** The vehicle's own queue was full: this chunk is never sent. */
    default void onChunkDropped(int sequence, long nowNs) {}

    /** The acknowledgement that the logger waited for is there. */
    default void onChunkAcked(int sequence, long nowNs) {}

    /** A complete message of the source log was not logged, because its time passed while the logger waited for an ack. */
    default void onMessageSkipped(int length, long nowNs) {}

    /** Log bytes that no chunk carries: the unfinished chunk of a vehicle that does not flush it. */
    default void onTailLost(int length, long nowNs) {}

    /** The session is over. */
    default void onSessionEnd(SessionEnd end, long nowNs) {}
}
