package org.mavlogd.feed;

/**
 * Records of a local feed's ring, native byte order.
 *
 * <pre>
 * sample: taken ns i64 | topic i32 | instance u8 | 3 unused | the fields behind the timestamp, as in the log
 * text:   taken ns i64 | tag u16 | level u8 | 1 unused | UTF-8
 * </pre>
 */
final class LocalLayout {
    static final int TAKEN_NS = 0;
    static final int TOPIC = TAKEN_NS + Long.BYTES;
    static final int INSTANCE = TOPIC + Integer.BYTES;
    static final int VALUES = INSTANCE + Integer.BYTES;

    static final int TAG = TAKEN_NS + Long.BYTES;
    static final int LEVEL = TAG + Short.BYTES;
    static final int TEXT = LEVEL + Short.BYTES;

    private LocalLayout() {}
}
