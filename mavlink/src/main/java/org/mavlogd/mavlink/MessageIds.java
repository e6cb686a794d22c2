package org.mavlogd.mavlink;

/** Numbers of the messages this program handles by name. */
public final class MessageIds {
    public static final int HEARTBEAT = 0;
    public static final int SYSTEM_TIME = 2;
    public static final int COMMAND_INT = 75;
    public static final int COMMAND_LONG = 76;
    public static final int COMMAND_ACK = 77;
    public static final int FILE_TRANSFER_PROTOCOL = 110;
    public static final int TIMESYNC = 111;
    public static final int LOG_REQUEST_LIST = 117;
    public static final int LOG_ENTRY = 118;
    public static final int LOG_REQUEST_DATA = 119;
    public static final int LOG_DATA = 120;
    public static final int LOG_REQUEST_END = 122;
    public static final int REMOTE_LOG_DATA_BLOCK = 184;
    public static final int REMOTE_LOG_BLOCK_STATUS = 185;
    public static final int STATUSTEXT = 253;
    public static final int SETUP_SIGNING = 256;
    public static final int LOGGING_DATA = 266;
    public static final int LOGGING_DATA_ACKED = 267;
    public static final int LOGGING_ACK = 268;

    private MessageIds() {}
}
