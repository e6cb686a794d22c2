package org.mavlogd.feed;

/** Fails a test at each kind of record in a stream of chunks that the test does not handle. */
public interface StrictFeedHandler extends Feed.Handler {
    @Override
    default void onSessionBegin(int session, int systemId, int componentId, long nowNs) {
        throw new AssertionError("session " + session + " begins");
    }

    @Override
    default void onSessionResume(int session, int systemId, int componentId, long nowNs) {
        throw new AssertionError("session " + session + " continues");
    }

    @Override
    default void onChunk(int session, ChunkView chunk) {
        throw new AssertionError("chunk " + chunk.sequence() + " of session " + session);
    }

    @Override
    default void onSessionEnd(int session, SessionEnd reason, int ringDropped, long nowNs) {
        throw new AssertionError("session " + session + " ends");
    }
}
