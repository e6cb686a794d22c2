package org.mavlogd.record.order;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.ulog.ULogLayout;

/**
 * Joins ordered chunks to complete ULog messages, without changing a byte.
 *
 * <p>The stream begins with the 16-byte file header, followed by messages across chunk borders. After a gap the partial
 * message is dropped and everything before the next {@code first_message_offset} is skipped. That offset is also
 * checked without a gap: if it contradicts the lengths of the messages, the chunk is taken as right, because it has a
 * checksum. Hot path: allocates only for a message longer than all before; a message inside one chunk is passed on
 * without a copy.
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
 */
public final class ChunkAssembler {
    /** Takes the parts of a log in order. */
    public interface Output {
        /** The file header, {@link ULogLayout#HEADER_LENGTH} bytes; once, before all messages. */
        void onHeader(DirectBuffer buffer, int offset);

        /** One complete message, with its header. */
        void onMessage(DirectBuffer buffer, int offset, int length);

        /** Bytes that arrived and belong to no complete message. */
        void onDiscarded(int bytes);

        /** A chunk's {@code first_message_offset} contradicted the messages before it. */
        void onContradiction();
    }

    private enum State {
        HEADER,
        MESSAGES,
        SEEKING
    }

    private final Output output;
    private static final int FIRST_BYTES = 4 << 10;

    private final MemoryShare share;
    // Grows with the longest message.
    private final UnsafeBuffer partial = new UnsafeBuffer(new byte[FIRST_BYTES]);
    private int partialLength;
    private State state = State.HEADER;

    /** @param share memory for the incomplete message: at most 64 KiB, and always granted */
    public ChunkAssembler(Output output, MemoryShare share) {
        this.share = share;
        this.output = output;
    }

    /** Starts in the middle of a log whose header came in an earlier run. */
    public void joinMidStream() {
        state = State.SEEKING;
    }

    /** Chunks are missing: the incomplete message cannot be completed. */
    public void onGap() {
        dropPartial();
        if (state != State.HEADER) {
            state = State.SEEKING;
        }
    }

    /** Takes the next chunk in order. */
    public void onChunk(DirectBuffer data, int offset, int length, int firstMessageOffset) {
        int position = 0;
        if (state == State.HEADER) {
            position = takeHeader(data, offset, length);
        } else if (state == State.MESSAGES && contradicts(data, offset, length, firstMessageOffset)) {
            output.onContradiction();
            dropPartial();
            state = State.SEEKING;
        }
        if (state == State.SEEKING) {
            position = Math.min(firstMessageOffset, length);
            output.onDiscarded(position);
            if (firstMessageOffset < length) {
                state = State.MESSAGES;
            }
        }
        if (state == State.MESSAGES) {
            takeMessages(data, offset + position, length - position);
        }
    }

    /** Ends the stream. */
    public void onEnd() {
        dropPartial();
        state = State.SEEKING;
    }

    private void dropPartial() {
        if (partialLength > 0) {
            output.onDiscarded(partialLength);
            partialLength = 0;
        }
    }

    private int takeHeader(DirectBuffer data, int offset, int length) {
        int taken = Math.min(ULogLayout.HEADER_LENGTH - partialLength, length);
        keep(data, offset, taken);
        if (partialLength == ULogLayout.HEADER_LENGTH) {
            output.onHeader(partial, 0);
            partialLength = 0;
            state = State.MESSAGES;
        }
        return taken;
    }

    private boolean contradicts(DirectBuffer data, int offset, int length, int firstMessageOffset) {
        int end = endOfPartial(data, offset, length);
        int expected = end < length ? end : ChunkView.NO_MESSAGE_START;
        int told = firstMessageOffset < length ? firstMessageOffset : ChunkView.NO_MESSAGE_START;
        return length > 0 && told != expected;
    }

    /**
     * Where in this chunk the incomplete message ends; past {@code length} if it continues, or its length is not known.
     */
    private int endOfPartial(DirectBuffer data, int offset, int length) {
        if (partialLength == 0) {
            return 0;
        }
        int headerRest = Math.max(0, ULogLayout.MESSAGE_HEADER_LENGTH - partialLength);
        if (headerRest > length) {
            return length;
        }
        int low = partial.getByte(0) & 0xFF;
        int high = (partialLength > 1 ? partial.getByte(1) : data.getByte(offset)) & 0xFF;
        int size = low + (high << Byte.SIZE);
        return ULogLayout.MESSAGE_HEADER_LENGTH + size - partialLength;
    }

    private void takeMessages(DirectBuffer data, int offset, int length) {
        int position = offset;
        int end = offset + length;
        if (partialLength > 0) {
            position += completePartial(data, offset, length);
        }
        while (end - position >= ULogLayout.MESSAGE_HEADER_LENGTH) {
            int messageLength = messageLength(data, position);
            if (messageLength > end - position) {
                break;
            }
            output.onMessage(data, position, messageLength);
            position += messageLength;
        }
        keep(data, position, end - position);
    }

    private int completePartial(DirectBuffer data, int offset, int length) {
        int taken = Math.min(Math.max(0, ULogLayout.MESSAGE_HEADER_LENGTH - partialLength), length);
        keep(data, offset, taken);
        if (partialLength < ULogLayout.MESSAGE_HEADER_LENGTH) {
            return taken;
        }
        int messageLength = messageLength(partial, 0);
        int rest = Math.min(messageLength - partialLength, length - taken);
        keep(data, offset + taken, rest);
        if (partialLength == messageLength) {
            output.onMessage(partial, 0, messageLength);
            partialLength = 0;
        }
        return taken + rest;
    }

    private void keep(DirectBuffer data, int offset, int length) {
        if (partialLength + length > partial.capacity()) {
            grow(partialLength + length);
        }
        partial.putBytes(partialLength, data, offset, length);
        partialLength += length;
    }

    private void grow(int needed) {
        int capacity = Math.min(ULogLayout.MAX_MESSAGE_LENGTH, Math.max(needed, 2 * partial.capacity()));
        byte[] grown = new byte[capacity];
        partial.getBytes(0, grown, 0, partialLength);
        share.take(capacity - partial.capacity());
        partial.wrap(grown);
    }

    private static int messageLength(DirectBuffer buffer, int offset) {
        return ULogLayout.MESSAGE_HEADER_LENGTH + (buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }
}
