package org.mavlogd.store;

/**
 * The disk as the keeper saw it last.
 *
 * @param measurement number of the measurement, from 1 on; 0 before the first
 * @param usableBytes {@link Long#MAX_VALUE} when nobody can tell
 * @param hasRoom whether there is room for recording
 * @param problem what somebody should do something about, in words; empty when nothing is
 */
public record SpaceStatus(
        long measurement, long usableBytes, State state, boolean hasRoom, String problem, long pauses) {
    /** What goes on. */
    public enum State {
        OK,
        /** Old logs are being deleted to make room. */
        DELETING,
        /** There is no room, and nothing left to delete: nothing is recorded. */
        PAUSED,
        /** The disk refuses something that is tried again. */
        FAILING
    }

    static final SpaceStatus UNKNOWN = new SpaceStatus(0, Long.MAX_VALUE, State.OK, true, "", 0);
}
