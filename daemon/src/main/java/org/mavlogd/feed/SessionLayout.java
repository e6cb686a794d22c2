package org.mavlogd.feed;

/** A record that begins or ends a session: {@code session i32 | system u8 | component u8 | reason u8 | - | now ns i64}. */
final class SessionLayout {
    static final int SESSION = 0;
    static final int SYSTEM_ID = SESSION + Integer.BYTES;
    static final int COMPONENT_ID = SYSTEM_ID + Byte.BYTES;
    static final int REASON = COMPONENT_ID + Byte.BYTES;
    static final int NOW_NS = Long.BYTES;
    static final int LENGTH = NOW_NS + Long.BYTES;

    private SessionLayout() {}
}
