package org.mavlogd.mavlink;

/** Values of MAV_CMD that this program handles. */
public final class MavCommand {
    /** Start to stream the log; param1 is its format, 0 for ULog. */
    public static final int LOGGING_START = 2510;

    public static final int LOGGING_STOP = 2511;

    private MavCommand() {}
}
