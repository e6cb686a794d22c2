package org.mavlogd.mavlink;

import io.dronefleet.mavlink.util.EnumValue;

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
    private static final int FULL_LENGTH = 10;

    public static CommandAck decode(FrameView frame) {
        io.dronefleet.mavlink.common.CommandAck message =
                MessageCodec.decode(frame, FULL_LENGTH, io.dronefleet.mavlink.common.CommandAck.class);
        return new CommandAck(
                message.command().value(),
                message.result().value(),
                message.progress(),
                message.resultParam2(),
                message.targetSystem(),
                message.targetComponent());
    }

    /** Writes the payload; the result is its length in bytes. */
    public int encodePayload(byte[] target) {
        return MessageCodec.encode(
                io.dronefleet.mavlink.common.CommandAck.builder()
                        .command(EnumValue.create(command))
                        .result(EnumValue.create(result))
                        .progress(progress)
                        .resultParam2(resultParam2)
                        .targetSystem(targetSystem)
                        .targetComponent(targetComponent)
                        .build(),
                target);
    }
}
