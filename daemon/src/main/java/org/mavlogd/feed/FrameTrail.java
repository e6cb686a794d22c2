package org.mavlogd.feed;

/**
 * The number of a MAVLink frame in its sender's sequence, and which of the {@link #LENGTH} frames before it had arrived
 * by then: {@code arrived u48 | number u16}. Bit 0 of {@code arrived} is the frame just before. Numbers wrap. Hot path.
 */
public final class FrameTrail {
    /** How many frames before it are covered. */
    public static final int LENGTH = Long.SIZE - Short.SIZE;

    private static final int NUMBER_MASK = 0xFFFF;

    private FrameTrail() {}

    /** Packs the lowest 16 bits of {@code number} and the lowest {@link #LENGTH} bits of {@code arrived}. */
    public static long of(int number, long arrived) {
        return arrived << Short.SIZE | (number & NUMBER_MASK);
    }

    /** Unsigned 16 bit. */
    public static int number(long trail) {
        return (int) trail & NUMBER_MASK;
    }

    /** Bit i: whether the frame {@code i + 1} before had arrived. */
    public static long arrived(long trail) {
        return trail >>> Short.SIZE;
    }
}
