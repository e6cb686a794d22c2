package org.mavlogd.mavlink;

/**
 * LOGGING_ACK: a chunk of log has arrived. The vehicle's logger waits for it.
 *
 * @param sequence of the chunk, unsigned 16 bit
 * @see <a href="https://mavlink.io/en/messages/common.html#LOGGING_ACK">LOGGING_ACK</a>
 */
public record LoggingAck(int targetSystem, int targetComponent, int sequence) {
    public static LoggingAck decode(FrameView frame) {
        return new LoggingAck(
                LoggingAckLayout.targetSystem(frame),
                LoggingAckLayout.targetComponent(frame),
                LoggingAckLayout.sequence(frame));
    }

    /** Writes the payload and returns its length in bytes. Allocates nothing. */
    public int encodePayload(byte[] target) {
        LoggingAckLayout.putTargetSystem(target, targetSystem);
        LoggingAckLayout.putTargetComponent(target, targetComponent);
        LoggingAckLayout.putSequence(target, sequence);
        return LoggingAckLayout.FULL_LENGTH;
    }
}
