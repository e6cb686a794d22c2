package org.mavlogd.mavlink;

/**
 * COMMAND_ACK: what became of a command. MAVLink 1 has only the first two; the others are then zero.
 *
 * @param command MAV_CMD, see {@link MavCommand}
 * @param result MAV_RESULT, see {@link MavResult}
 * @param progress percent while in progress
 * @param targetSystem who gave the command; 0 when the sender does not say
 * @see <a href="https://mavlink.io/en/messages/common.html#COMMAND_ACK">COMMAND_ACK</a>
 */
public record CommandAck(
        int command, int result, int progress, int resultParam2, int targetSystem, int targetComponent) {
    public static CommandAck decode(FrameView frame) {
        return new CommandAck(
                CommandAckLayout.command(frame),
                CommandAckLayout.result(frame),
                CommandAckLayout.progress(frame),
                CommandAckLayout.resultParam2(frame),
                CommandAckLayout.targetSystem(frame),
                CommandAckLayout.targetComponent(frame));
    }

    /** Writes the payload; the result is its length in bytes. */
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
