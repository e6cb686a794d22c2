package org.mavlogd.simulate.px4;

/** The 16 chunks between PX4's logger and its MAVLink sender; the oldest makes room for the newest. Hot path. */
final class ChunkQueue {
    /** PX4, UlogStream.msg: ORB_QUEUE_LENGTH. */
    static final int CAPACITY = 16;

    private final byte[] buffer = new byte[CAPACITY * ChunkWriter.PAYLOAD_LENGTH];
    private int head;
    private int count;
    private int droppedSequence;

    /** Returns whether the oldest chunk was lost: {@link #droppedSequence}. */
    boolean add(byte[] payload) {
        boolean overflows = count == CAPACITY;
        if (overflows) {
            droppedSequence = ChunkSender.sequence(buffer, headOffset());
            remove();
        }
        int tail = (head + count) % CAPACITY;
        System.arraycopy(payload, 0, buffer, tail * ChunkWriter.PAYLOAD_LENGTH, ChunkWriter.PAYLOAD_LENGTH);
        count++;
        return overflows;
    }

    boolean isEmpty() {
        return count == 0;
    }

    byte[] buffer() {
        return buffer;
    }

    int headOffset() {
        return head * ChunkWriter.PAYLOAD_LENGTH;
    }

    void remove() {
        head = (head + 1) % CAPACITY;
        count--;
    }

    void clear() {
        count = 0;
    }

    int droppedSequence() {
        return droppedSequence;
    }
}
