package org.mavlogd.mavlink;

/**
 * Payload of ArduPilot's REMOTE_LOG_DATA_BLOCK, which carries 200 bytes of log. Little endian.
 *
 * <pre>
 * number(4)  targetSystem  targetComponent  data(200)
 * 0          4             5                6
 * </pre>
 *
 * MAVLink 2 omits the zeros at a block's end; missing bytes are read as zero.
 *
 * @see <a href="https://mavlink.io/en/messages/ardupilotmega.html#REMOTE_LOG_DATA_BLOCK">REMOTE_LOG_DATA_BLOCK</a>
 */
public final class LogBlockLayout {
    /** Unsigned 32 bit, starts from 0 in each log. */
    public static final int NUMBER_OFFSET = 0;

    public static final int TARGET_SYSTEM = 4;
    public static final int TARGET_COMPONENT = 5;
    public static final int DATA_OFFSET = 6;

    /** Bytes of log in each block; block n starts at 200 n. */
    public static final int DATA_LENGTH = 200;

    public static final int BLOCK_LENGTH = DATA_OFFSET + DATA_LENGTH;

    private LogBlockLayout() {}
}
