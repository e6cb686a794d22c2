package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Gathers the messages of a {@link ULogWriter} and hands them to the sink.
 *
 * <p>A message's room is made before any of it is written: a sink that fails leaves no half message here. After that
 * the log's end is unknown, and the buffer refuses everything. Hot path.
 */
final class MessageBuffer {
    static final int DATA_HEAD = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE;

    private final ULogSink sink;
    private final ByteBuffer buffer;

    // Of the buffer; so far below 0 once closed that there is never room, and drain() refuses.
    private int capacity;
    private final long logPosition;
    private boolean closed;

    MessageBuffer(ULogSink sink, int bytes) {
        this.sink = sink;
        this.buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.capacity = bytes;
        this.logPosition = sink.position();
    }

    /** Where the header and the flag bits go: everything fits into an empty buffer. */
    ByteBuffer start() {
        return buffer;
    }

    /** Where to encode a message of at most this length. */
    ByteBuffer room(int length) throws IOException {
        if (buffer.position() > capacity - length) {
            drain();
        }
        return buffer;
    }

    /** The first five bytes of a topic's data messages, as the low ones of a little endian long. */
    static long dataHead(int messageId, int fieldsLength) {
        return (ULogLayout.DATA_HEADER_SIZE + fieldsLength)
                | ((long) MessageType.DATA << 16)
                | ((long) messageId << 24);
    }

    /**
     * A data message; its fields are at least as long as a timestamp.
     *
     * <p>One comparison and three stores: this is where a fast writer spends its time.
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
     * Sets the compatible flags of the flag bits, wherever these are by now.
     *
     * @return false if they have left the buffer, and the sink cannot be patched
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

    /** Bytes of the log so far, those still gathered included. */
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
