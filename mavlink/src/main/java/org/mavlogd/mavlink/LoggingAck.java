package org.mavlogd.mavlink;

/**
 * LOGGING_ACK: a chunk of log has arrived. The vehicle's logger stands still until then, so this one message is laid out
 * by hand, without the cost of reflection.
 *
 * @param sequence the chunk's, unsigned 16 bit
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_ACK">LOGGING_ACK</a>
 */
public record LoggingAck(int targetSystem, int targetComponent, int sequence) {
    private static final int LENGTH = 4;

    public static LoggingAck decode(FrameView frame) {
        return new LoggingAck(
                frame.uint8(LogChunkLayout.TARGET_SYSTEM),
                frame.uint8(LogChunkLayout.TARGET_COMPONENT),
                frame.uint16(LogChunkLayout.SEQUENCE_OFFSET));
    }

    /** Writes the payload; the result is its length in bytes. */
    public int encodePayload(byte[] target) {
        target[LogChunkLayout.SEQUENCE_OFFSET] = (byte) sequence;
        target[LogChunkLayout.SEQUENCE_OFFSET + 1] = (byte) (sequence >>> 8);
        target[LogChunkLayout.TARGET_SYSTEM] = (byte) targetSystem;
        target[LogChunkLayout.TARGET_COMPONENT] = (byte) targetComponent;
        return LENGTH;
    }
}
