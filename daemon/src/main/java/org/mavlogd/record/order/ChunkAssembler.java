package org.mavlogd.record.order;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.ulog.ULogLayout;

/**
 * Joins ordered chunks to complete ULog messages, without changing a byte.
 *
 * <p>The stream begins with the 16-byte file header, followed by messages across chunk borders. After a gap the partial
 * message is dropped and everything before the next {@code first_message_offset} is skipped. That offset is also
 * checked without a gap: if it contradicts the lengths of the messages, the chunk is taken as right, because it has a
 * checksum.
 *
 * <p>Each chunk is copied once, behind the incomplete message before it, so that all its messages follow one another in
 * one buffer; they stay there until the next chunk. Hot path: allocates only for a message longer than all before.
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
 */
public final class ChunkAssembler {
    /** Takes the parts of a log in order. */
    public interface Output {
        /** The file header, {@link ULogLayout#HEADER_LENGTH} bytes; once, before all messages. */
        void onHeader(DirectBuffer buffer, int offset);

        /** One complete message, with its header, in {@link #messages}. */
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

    private static final int FIRST_BYTES = 4 << 10;

    private final Output output;
    private final MemoryShare share;
    // The chunk that was taken last, and before it what it completed. Grows with the longest message.
    private byte[] bytes = new byte[FIRST_BYTES];
    private final UnsafeBuffer messages = new UnsafeBuffer(bytes);
    // The incomplete message, or the incomplete file header.
    private int partialAt;
    private int partialLength;
    private State state = State.HEADER;

    /** @param share memory for the longest message and a chunk: at most 65 KiB, and always granted */
    public ChunkAssembler(Output output, MemoryShare share) {
        this.share = share;
        this.output = output;
    }

    /** Starts in the middle of a log whose header came in an earlier run. */
    public void joinMidStream() {
        state = State.SEEKING;
    }

    /** Bytes of the incomplete message. */
    public int partialLength() {
        return partialLength;
    }

    /** The buffer that holds all messages of a chunk until the next chunk. */
    public DirectBuffer messages() {
        return messages;
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
        int chunkAt = partialLength;
        int end = append(data, offset, length);
        int position = 0;
        if (state == State.HEADER) {
            position = takeHeader(end);
        } else if (state == State.MESSAGES && contradicts(chunkAt, end, firstMessageOffset)) {
            output.onContradiction();
            dropPartial();
            state = State.SEEKING;
        }
        if (state == State.SEEKING) {
            int skipped = Math.min(firstMessageOffset, length);
            output.onDiscarded(skipped);
            position = chunkAt + skipped;
            if (firstMessageOffset < length) {
                state = State.MESSAGES;
            }
        }
        if (state == State.MESSAGES) {
            takeMessages(position, end);
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

    /** Moves the incomplete message to the start and puts a chunk behind it; returns where that ends. */
    private int append(DirectBuffer data, int offset, int length) {
        int end = partialLength + length;
        if (partialAt > 0) {
            System.arraycopy(bytes, partialAt, bytes, 0, partialLength);
            partialAt = 0;
        }
        if (end > bytes.length) {
            grow(end);
        }
        data.getBytes(offset, bytes, partialLength, length);
        return end;
    }

    private void grow(int needed) {
        int longest = ULogLayout.MAX_MESSAGE_LENGTH + ChunkView.MAX_DATA_LENGTH;
        int capacity = Math.min(longest, Math.max(needed, 2 * bytes.length));
        byte[] grown = new byte[capacity];
        System.arraycopy(bytes, 0, grown, 0, partialLength);
        share.take(capacity - bytes.length);
        bytes = grown;
        messages.wrap(grown);
    }

    /** Returns where the first message starts, if the header is complete. */
    private int takeHeader(int end) {
        if (end < ULogLayout.HEADER_LENGTH) {
            partialLength = end;
            return end;
        }
        output.onHeader(messages, 0);
        partialLength = 0;
        state = State.MESSAGES;
        return ULogLayout.HEADER_LENGTH;
    }

    private boolean contradicts(int chunkAt, int end, int firstMessageOffset) {
        int length = end - chunkAt;
        int next = chunkAt == 0 ? 0 : endOfMessage(0, end) - chunkAt;
        int expected = next < length ? next : ChunkView.NO_MESSAGE_START;
        int told = firstMessageOffset < length ? firstMessageOffset : ChunkView.NO_MESSAGE_START;
        return length > 0 && told != expected;
    }

    /** Where a message ends; after {@code end} if it continues, or its length is not known. */
    private int endOfMessage(int position, int end) {
        return end - position < ULogLayout.MESSAGE_HEADER_LENGTH
                ? end + 1
                : position + ULogLayout.MESSAGE_HEADER_LENGTH + LittleEndian.uint16(bytes, position);
    }

    private void takeMessages(int from, int end) {
        int position = from;
        int next = endOfMessage(position, end);
        while (next <= end) {
            output.onMessage(messages, position, next - position);
            position = next;
            next = endOfMessage(position, end);
        }
        partialAt = position;
        partialLength = end - position;
    }
}
