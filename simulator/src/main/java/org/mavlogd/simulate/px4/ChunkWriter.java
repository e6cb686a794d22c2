package org.mavlogd.simulate.px4;

import org.mavlogd.mavlink.LogChunkLayout;

/**
 * Fills chunks with log bytes as PX4's logger does: with one buffer for all, so that the bytes after a short chunk's
 * end are those of earlier chunks. Owned by the vehicle's thread. Hot path.
 */
final class ChunkWriter {
    static final int PAYLOAD_LENGTH = LogChunkLayout.DATA_OFFSET + LogChunkLayout.MAX_DATA_LENGTH;

    private final byte[] payload = new byte[PAYLOAD_LENGTH];
    private int sequence;
    private int length;
    private int firstMessageOffset;

    /** Starts a new stream to a client. Its first chunk points at the file header, which is not a message. */
    void restart(int targetSystem, int targetComponent) {
        payload[LogChunkLayout.TARGET_SYSTEM] = (byte) targetSystem;
        payload[LogChunkLayout.TARGET_COMPONENT] = (byte) targetComponent;
        sequence = 0;
        length = 0;
        firstMessageOffset = 0;
    }

    /** Marks the next byte as the start of a message. */
    void beginMessage() {
        if (firstMessageOffset == LogChunkLayout.NO_MESSAGE_START) {
            firstMessageOffset = length;
        }
    }

    /** Takes as many bytes as fit and returns their number. */
    int put(byte[] source, int offset, int count) {
        int taken = Math.min(count, LogChunkLayout.MAX_DATA_LENGTH - length);
        System.arraycopy(source, offset, payload, LogChunkLayout.DATA_OFFSET + length, taken);
        length += taken;
        return taken;
    }

    boolean isFull() {
        return length == LogChunkLayout.MAX_DATA_LENGTH;
    }

    int length() {
        return length;
    }

    int sequence() {
        return sequence;
    }

    int firstMessageOffset() {
        return firstMessageOffset;
    }

    /** The payload for a frame; unchanged until the next {@link #put}. */
    byte[] finish() {
        payload[LogChunkLayout.SEQUENCE_OFFSET] = (byte) sequence;
        payload[LogChunkLayout.SEQUENCE_OFFSET + 1] = (byte) (sequence >> 8);
        payload[LogChunkLayout.LENGTH_OFFSET] = (byte) length;
        payload[LogChunkLayout.FIRST_MESSAGE_OFFSET] = (byte) firstMessageOffset;
        return payload;
    }

    /** Starts the next chunk. */
    void next() {
        sequence = (sequence + 1) & 0xffff;
        length = 0;
        firstMessageOffset = LogChunkLayout.NO_MESSAGE_START;
    }
}
