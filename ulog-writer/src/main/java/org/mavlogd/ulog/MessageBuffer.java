package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffers the messages of a {@link ULogWriter} and passes them to the sink.
 *
 * <p>The buffer is drained before a message that does not fit is encoded, so that a failing sink leaves no partial
 * message in it. After a failure the end of the log is unknown and the buffer refuses all further messages. Hot path.
 */
final class MessageBuffer {
    static final int DATA_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE;

    private final ULogSink sink;
    private final ByteBuffer buffer;

    // Of the buffer, in bytes; strongly negative once closed, so that nothing fits and drain() throws.
    private int capacity;
    private final long logPosition;
    private boolean closed;

    MessageBuffer(ULogSink sink, int bytes) {
        this.sink = sink;
        this.buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = bytes;
        this.logPosition = sink.position();
    }

    /** The empty buffer, for the header and the flag bits; they always fit. */
    ByteBuffer start() {
        return buffer;
    }

    /** The buffer, with room for a message of at most this length. */
    ByteBuffer room(int length) throws IOException {
        if (buffer.position() > capacity - length) {
            drain();
        }
        return buffer;
    }

    /** The first five bytes of a topic's data messages, as the low bytes of a little endian long. */
    static long dataHead(int messageId, int fieldsLength) {
        return (ULogLayout.DATA_HEADER_SIZE + fieldsLength)
                | ((long) MessageType.DATA << 16)
                | ((long) messageId << 24);
    }

    /**
     * Appends a data message; its fields are at least as long as a timestamp.
     *
     * <p>One comparison and three stores: a fast writer spends most of its time here.
     */
    void data(long head, byte[] fields, int offset, int length) throws IOException {
        int at = buffer.position();
        if (at > capacity - DATA_HEAD - length) {
            drain();
            at = 0;
        }
        buffer.putLong(at, head);
        buffer.put(at + DATA_HEAD, fields, offset, length);
        buffer.position(at + DATA_HEAD + length);
    }

    /**
     * Sets the compatible flags in the flag bits, in the buffer or in the sink.
     *
     * @return false if the flag bits have been passed to the sink and the sink cannot be patched
     */
    boolean flag(int compatFlags) throws IOException {
        if (sink.position() == logPosition) {
            buffer.put(ULogLayout.COMPAT_FLAGS_POSITION, (byte) compatFlags);
            return true;
        }
        if (sink instanceof PatchableSink patchable) {
            patchable.patch(
                    logPosition + ULogLayout.COMPAT_FLAGS_POSITION, ByteBuffer.wrap(new byte[] {(byte) compatFlags}));
            return true;
        }
        return false;
    }

    /** Length of the log so far in bytes, including the buffered ones. */
    long position() {
        return sink.position() - logPosition + buffer.position();
    }

    void drain() throws IOException {
        requireOpen();
        buffer.flip();
        boolean done = false;
        try {
            sink.write(buffer);
            done = true;
        } finally {
            if (!done) {
                end();
            }
        }
        buffer.clear();
    }

    void close() throws IOException {
        if (!closed) {
            drain();
            end();
        }
    }

    private void end() {
        closed = true;
        capacity = Integer.MIN_VALUE / 2;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the log is closed, or its sink has failed");
        }
    }
}
