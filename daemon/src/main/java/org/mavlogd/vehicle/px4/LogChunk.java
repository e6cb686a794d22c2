package org.mavlogd.vehicle.px4;

import org.agrona.MutableDirectBuffer;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogChunkLayout;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.vehicle.conversation.LogConversation;

/**
 * Reads LOGGING_DATA or LOGGING_DATA_ACKED in a frame. Valid as long as the frame. Hot path.
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
 */
public final class LogChunk implements LogStream.Chunk {
    /** 0 addresses every system, or every component of one. */
    private static final int BROADCAST = 0;

    private final FrameView frame;

    /** Reads the frame that this view shows at the time; a decoder reuses one view for all its frames. */
    public LogChunk(FrameView frame) {
        this.frame = frame;
    }

    /** Whether a frame is one of the two messages. */
    public static boolean isIn(FrameView frame) {
        int messageId = frame.messageId();
        return messageId == LogChunkLayout.LOGGING_DATA || messageId == LogChunkLayout.LOGGING_DATA_ACKED;
    }

    /** Whether this reads that view. */
    public boolean isOf(FrameView view) {
        return frame == view;
    }

    @Override
    public boolean isAcked() {
        return frame.messageId() == LogChunkLayout.LOGGING_DATA_ACKED;
    }

    @Override
    public int sequence() {
        return frame.uint16(LogChunkLayout.SEQUENCE_OFFSET);
    }

    /** Whether it is addressed to mavlogd, by id or by broadcast. */
    boolean isFor(LogConversation.Settings settings) {
        int system = frame.uint8(LogChunkLayout.TARGET_SYSTEM);
        int component = frame.uint8(LogChunkLayout.TARGET_COMPONENT);
        return (system == settings.systemId() || system == BROADCAST)
                && (component == settings.ownComponentId() || component == BROADCAST);
    }

    /** Whether its lengths are consistent. */
    boolean isValid() {
        int first = firstMessageOffset();
        return length() <= ChunkView.MAX_DATA_LENGTH && (first <= length() || first == ChunkView.NO_MESSAGE_START);
    }

    @Override
    public int length() {
        return frame.uint8(LogChunkLayout.LENGTH_OFFSET);
    }

    @Override
    public int firstMessageOffset() {
        return frame.uint8(LogChunkLayout.FIRST_MESSAGE_OFFSET);
    }

    /** Whether a log begins here: sequence 0, starting with a ULog file header. */
    boolean isLogBegin() {
        return sequence() == 0
                && firstMessageOffset() == 0
                && length() >= ULogLayout.HEADER_LENGTH
                && (headerWord(0) & ULogLayout.MAGIC_MASK) == ULogLayout.MAGIC;
    }

    /** One half of the 16-byte file header, if this {@link #isLogBegin}. */
    long headerWord(int index) {
        return frame.int64(LogChunkLayout.DATA_OFFSET + index * Long.BYTES);
    }

    @Override
    public void copyData(MutableDirectBuffer target, int targetIndex) {
        frame.copyPayload(LogChunkLayout.DATA_OFFSET, target, targetIndex, length());
    }
}
