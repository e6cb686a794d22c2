package org.mavlogd.feed;

/** Lets a test end at each record of a stream of chunks that it does not say what to do with. */
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
    default void onSessionEnd(int session, SessionEnd reason, long nowNs) {
        throw new AssertionError("session " + session + " ends");
    }
}
