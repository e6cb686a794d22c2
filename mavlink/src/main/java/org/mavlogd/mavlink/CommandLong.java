package org.mavlogd.mavlink;

/**
 * COMMAND_LONG: a command to a vehicle or component.
 *
 * @param command MAV_CMD, such as {@link #LOGGING_START}
 * @param confirmation 0 at first, incremented with each repetition
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
    /** MAV_CMD: starts log streaming; param1 is the format, 0 for ULog. */
    public static final int LOGGING_START = 2510;

    /** MAV_CMD: stops log streaming. */
    public static final int LOGGING_STOP = 2511;

    public static CommandLong decode(FrameView frame) {
        return new CommandLong(
                CommandLongLayout.command(frame),
                CommandLongLayout.confirmation(frame),
                CommandLongLayout.targetSystem(frame),
                CommandLongLayout.targetComponent(frame),
                CommandLongLayout.param1(frame),
                CommandLongLayout.param2(frame),
                CommandLongLayout.param3(frame),
                CommandLongLayout.param4(frame),
                CommandLongLayout.param5(frame),
                CommandLongLayout.param6(frame),
                CommandLongLayout.param7(frame));
    }

    /** Writes the payload and returns its length in bytes. */
    public int encodePayload(byte[] target) {
        CommandLongLayout.putCommand(target, command);
        CommandLongLayout.putConfirmation(target, confirmation);
        CommandLongLayout.putTargetSystem(target, targetSystem);
        CommandLongLayout.putTargetComponent(target, targetComponent);
        CommandLongLayout.putParam1(target, param1);
        CommandLongLayout.putParam2(target, param2);
        CommandLongLayout.putParam3(target, param3);
        CommandLongLayout.putParam4(target, param4);
        CommandLongLayout.putParam5(target, param5);
        CommandLongLayout.putParam6(target, param6);
        CommandLongLayout.putParam7(target, param7);
        return CommandLongLayout.FULL_LENGTH;
    }
}
