package org.mavlogd.mavlink;

/**
 * Payload of LOGGING_DATA and LOGGING_DATA_ACKED.
 *
 * <pre>
 * sequence(2)  targetSystem  targetComponent  length  firstMessageOffset  data(249)
 * 0            2             3                4       5                   6
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_DATA">LOGGING_DATA</a>
 */
public final class LogChunkLayout {
    public static final int LOGGING_DATA = MessageIds.LOGGING_DATA;
    public static final int LOGGING_DATA_ACKED = MessageIds.LOGGING_DATA_ACKED;
    public static final int LOGGING_ACK = MessageIds.LOGGING_ACK;

    /** Unsigned 16 bit, one sequence for both kinds of chunk, wraps. */
    public static final int SEQUENCE_OFFSET = 0;

    public static final int TARGET_SYSTEM = 2;
    public static final int TARGET_COMPONENT = 3;

    /** Number of valid data bytes; the bytes after them are from earlier chunks. */
    public static final int LENGTH_OFFSET = 4;

    /** Offset in the data at which the first message starts, or {@link #NO_MESSAGE_START}. */
    public static final int FIRST_MESSAGE_OFFSET = 5;

    public static final int DATA_OFFSET = 6;
    public static final int MAX_DATA_LENGTH = 249;
    public static final int NO_MESSAGE_START = 255;

    private LogChunkLayout() {}
}
