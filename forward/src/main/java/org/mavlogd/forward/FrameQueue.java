package org.mavlogd.forward;

import java.util.concurrent.TimeUnit;

/**
 * The frames that wait for one endpoint, with a fixed number of bytes for telemetry and as many for all others. Frames
 * leave in the order of their arrival; if one does not fit, the oldest of its kind are dropped. Telemetry that has
 * waited too long is dropped: on a slow radio commands would wait behind it for seconds. Owned by one thread. Hot path.
 */
final class FrameQueue {
    /** Bytes for each kind. At 50 KB/s a peer may make no progress for 0.6 s. */
    static final int CAPACITY = 32 * 1024;

    /** Maximum time that telemetry waits; newer telemetry replaces it. */
    static final long MAX_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Heap of an endpoint: both kinds, the portion for the transport, and smaller objects. */
    static final int FOOTPRINT = 2 * CAPACITY + 2 * FarEnd.PORTION;

    private static final int TIME_SHIFT = 20;

    private final Bytes telemetry = new Bytes();
    private final Bytes conversations = new Bytes();
    private int order;

    /** A ring of frames, each preceded by its order, length and time. */
    private static final class Bytes {
        private static final int LENGTH = Integer.BYTES;
        private static final int TIME = LENGTH + Short.BYTES;
        private static final int HEAD = TIME + Integer.BYTES;
        private static final int MASK = CAPACITY - 1;

        private final byte[] ring = new byte[CAPACITY];
        private long head;
        private long tail;

        boolean isEmpty() {
            return head == tail;
        }

        boolean hasRoom(int length) {
            return CAPACITY - (tail - head) >= HEAD + length;
        }

        void add(byte[] frame, int offset, int length, int order, int time) {
            putInt(order);
            put(length);
            put(length >>> Byte.SIZE);
            putInt(time);
            int at = (int) tail & MASK;
            int first = Math.min(length, CAPACITY - at);
            System.arraycopy(frame, offset, ring, at, first);
            System.arraycopy(frame, offset + first, ring, 0, length - first);
            tail += length;
        }

        private void putInt(int value) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                put(value >>> shift);
            }
        }

        private void put(int value) {
            ring[(int) tail++ & MASK] = (byte) value;
        }

        private int get(int offset) {
            return ring[(int) (head + offset) & MASK] & 0xFF;
        }

        private int getInt(int offset) {
            return get(offset) | get(offset + 1) << 8 | get(offset + 2) << 16 | get(offset + 3) << 24;
        }

        int order() {
            return getInt(0);
        }

        int length() {
            return get(LENGTH) | get(LENGTH + 1) << Byte.SIZE;
        }

        int time() {
            return getInt(TIME);
        }

        void copyTo(byte[] target, int offset) {
            int length = length();
            int at = (int) (head + HEAD) & MASK;
            int first = Math.min(length, CAPACITY - at);
            System.arraycopy(ring, at, target, offset, first);
            System.arraycopy(ring, 0, target, offset + first, length - first);
        }

        void remove() {
            head += HEAD + length();
        }

        int clear() {
            int count = 0;
            for (; !isEmpty(); count++) {
                remove();
            }
            return count;
        }
    }

    boolean isEmpty() {
        return telemetry.isEmpty() && conversations.isEmpty();
    }

    /** Adds a frame; returns the number of frames of its kind that were dropped for it. */
    int add(byte[] frame, int offset, int length, boolean isTelemetry, long nowNs) {
        Bytes bytes = isTelemetry ? telemetry : conversations;
        int dropped = 0;
        while (!bytes.hasRoom(length)) {
            bytes.remove();
            dropped++;
        }
        bytes.add(frame, offset, length, order++, time(nowNs));
        return dropped;
    }

    /** Drops telemetry that has waited too long; returns the number of frames. */
    int dropLate(long nowNs) {
        int dropped = 0;
        for (; !telemetry.isEmpty() && time(nowNs) - telemetry.time() > time(MAX_WAIT_NS); dropped++) {
            telemetry.remove();
        }
        return dropped;
    }

    /** Time in units of about 1 ms, which wraps: differences of up to 26 days are correct. */
    private static int time(long ns) {
        return (int) (ns >> TIME_SHIFT);
    }

    /** Moves the oldest frame to the target, if it fits; returns its length, or 0. */
    int poll(byte[] target, int offset) {
        Bytes oldest = oldest();
        if (oldest.isEmpty()) {
            return 0;
        }
        int length = oldest.length();
        if (length > target.length - offset) {
            return 0;
        }
        oldest.copyTo(target, offset);
        oldest.remove();
        return length;
    }

    private Bytes oldest() {
        if (conversations.isEmpty()) {
            return telemetry;
        }
        boolean isTelemetry = !telemetry.isEmpty() && telemetry.order() - conversations.order() < 0;
        return isTelemetry ? telemetry : conversations;
    }

    /** Discards all frames; returns their number. */
    int clear() {
        return telemetry.clear() + conversations.clear();
    }
}
