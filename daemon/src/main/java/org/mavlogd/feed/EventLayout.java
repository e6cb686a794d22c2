package org.mavlogd.feed;

/** A record that tells of a vehicle: {@code system i32 | component i32 | event i32 | - | value i64 | now ns i64}. */
final class EventLayout {
    static final int SYSTEM_ID = 0;
    static final int COMPONENT_ID = SYSTEM_ID + Integer.BYTES;
    static final int EVENT = COMPONENT_ID + Integer.BYTES;
    static final int VALUE = 2 * Long.BYTES;
    static final int NOW_NS = VALUE + Long.BYTES;
    static final int LENGTH = NOW_NS + Long.BYTES;

    private EventLayout() {}
}
