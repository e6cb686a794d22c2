package org.mavlogd.mavlink;

/**
 * COMMAND_ACK: the result of a command. MAVLink 1 has only the first two fields; the others are then zero.
 *
 * @param command MAV_CMD, such as {@link CommandLong#LOGGING_START}
 * @param result MAV_RESULT, such as {@link #ACCEPTED}
 * @param progress percent while in progress
 * @param targetSystem sender of the command; 0 if unknown
 * @see <a href="https://mavlink.io/en/messages/common.html#COMMAND_ACK">COMMAND_ACK</a>
 */
public record CommandAck(
        int command, int result, int progress, int resultParam2, int targetSystem, int targetComponent) {
    // Values of MAV_RESULT.
    public static final int ACCEPTED = 0;
    public static final int TEMPORARILY_REJECTED = 1;
    public static final int DENIED = 2;
    public static final int UNSUPPORTED = 3;
    public static final int FAILED = 4;
    public static final int IN_PROGRESS = 5;
    public static final int CANCELLED = 6;

    public static CommandAck decode(FrameView frame) {
        return new CommandAck(
                CommandAckLayout.command(frame),
                CommandAckLayout.result(frame),
                CommandAckLayout.progress(frame),
                CommandAckLayout.resultParam2(frame),
                CommandAckLayout.targetSystem(frame),
                CommandAckLayout.targetComponent(frame));
    }

    /** Writes the payload and returns its length in bytes. */
    public int encodePayload(byte[] target) {
        CommandAckLayout.putCommand(target, command);
        CommandAckLayout.putResult(target, result);
        CommandAckLayout.putProgress(target, progress);
        CommandAckLayout.putResultParam2(target, resultParam2);
        CommandAckLayout.putTargetSystem(target, targetSystem);
        CommandAckLayout.putTargetComponent(target, targetComponent);
        return CommandAckLayout.FULL_LENGTH;
    }
}
