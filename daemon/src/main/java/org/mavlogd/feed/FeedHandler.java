package org.mavlogd.feed;

import org.mavlogd.time.ClockFit;

/** Takes the records of one feed in the order in which they were published. Hot path. */
public interface FeedHandler {
    /**
     * A vehicle began a log.
     *
     * @param session number of the session, unique and rising within this feed
     */
    void onSessionBegin(int session, int systemId, int componentId, long nowNs);

    /** A log of an earlier run goes on: the vehicle's {@link ResumeTicket} was taken. Otherwise as a session that began. */
    void onSessionResume(int session, int systemId, int componentId, long nowNs);

    /** A chunk of a session that began and has not ended. The view is valid during the call only. */
    void onChunk(int session, ChunkView chunk);

    /** An ArduPilot began a log of blocks, with block 0; otherwise as {@link #onSessionBegin}. */
    default void onBlocksBegin(int session, int systemId, int componentId, long nowNs) {}

    /** A log of blocks of an earlier run goes on; otherwise as {@link #onSessionResume}. */
    default void onBlocksResume(int session, int systemId, int componentId, long nowNs) {}

    /** A block of a session of blocks that began and has not ended. The view is valid during the call only. */
    default void onBlock(int session, BlockView block) {}

    /** Nothing more of this session will come, of whichever kind it is. */
    void onSessionEnd(int session, SessionEnd reason, long nowNs);

    /**
     * Something happened to a vehicle, whether or not a session of it is under way. Who cares for sessions alone ignores
     * it.
     *
     * @param value what the event says of it, else 0
     */
    default void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {}

    /**
     * What is known of a vehicle's clock now, whether or not a session of it is under way: at least once a second while it
     * is known, and some times a second at most.
     */
    default void onClockFit(int systemId, int componentId, ClockFit fit, long nowNs) {}
}
