package org.mavlogd.mavlink;

import io.dronefleet.mavlink.util.EnumValue;

/**
 * COMMAND_LONG: somebody wants something done.
 *
 * @param command MAV_CMD, see {@link MavCommand}
 * @param confirmation 0 at first, counted up when repeated
 * @see <a href="https://mavlink.io/en/messages/common.html#COMMAND_LONG">COMMAND_LONG</a>
 */
public record CommandLong(
        int command,
        int confirmation,
        int targetSystem,
        int targetComponent,
        float param1,
        float param2,
        float param3,
        float param4,
        float param5,
        float param6,
        float param7) {
    private static final int FULL_LENGTH = 33;

    public static CommandLong decode(FrameView frame) {
        io.dronefleet.mavlink.common.CommandLong message =
                MessageCodec.decode(frame, FULL_LENGTH, io.dronefleet.mavlink.common.CommandLong.class);
        return new CommandLong(
                message.command().value(),
                message.confirmation(),
                message.targetSystem(),
                message.targetComponent(),
                message.param1(),
                message.param2(),
                message.param3(),
                message.param4(),
                message.param5(),
                message.param6(),
                message.param7());
    }

    /** Writes the payload; the result is its length in bytes. */
    public int encodePayload(byte[] target) {
        return MessageCodec.encode(
                io.dronefleet.mavlink.common.CommandLong.builder()
                        .command(EnumValue.create(command))
                        .confirmation(confirmation)
                        .targetSystem(targetSystem)
                        .targetComponent(targetComponent)
                        .param1(param1)
                        .param2(param2)
                        .param3(param3)
                        .param4(param4)
                        .param5(param5)
                        .param6(param6)
                        .param7(param7)
                        .build(),
                target);
    }
}
