package org.mavlogd.mavlink;

/**
 * Payloads of the messages by which a vehicle's own logs are listed and read. Little endian.
 *
 * <pre>
 * LOG_REQUEST_LIST  first(2)  last(2)   targetSystem  targetComponent
 *                   0         2         4             5
 * LOG_ENTRY         utc(4)    size(4)   id(2)         count(2)         lastId(2)
 *                   0         4         8             10               12
 * LOG_REQUEST_DATA  offset(4) length(4) id(2)         targetSystem     targetComponent
 *                   0         4         8             10               11
 * LOG_DATA          offset(4) id(2)     count(1)      data(90)
 *                   0         4         6             7
 * LOG_REQUEST_END   targetSystem  targetComponent
 *                   0             1
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/messages/common.html#LOG_REQUEST_LIST">LOG_REQUEST_LIST</a>
 */
public final class LogTransferLayout {
    /** Bytes of log in LOG_DATA, at most; fewer end the log. */
    public static final int DATA_LENGTH = 90;

    public static final int LIST_LENGTH = 6;
    public static final int LIST_FIRST = 0;
    public static final int LIST_LAST = 2;
    public static final int LIST_TARGET_SYSTEM = 4;
    public static final int LIST_TARGET_COMPONENT = 5;

    public static final int ENTRY_LENGTH = 14;
    /** Seconds since 1970, 0 when the vehicle does not know. */
    public static final int ENTRY_UTC = 0;

    public static final int ENTRY_SIZE = 4;
    public static final int ENTRY_ID = 8;
    /** How many logs there are in all. */
    public static final int ENTRY_COUNT = 10;

    /** The last id of those that were asked for. */
    public static final int ENTRY_LAST_ID = 12;

    public static final int REQUEST_LENGTH = 12;
    public static final int REQUEST_OFFSET = 0;
    public static final int REQUEST_COUNT = 4;
    public static final int REQUEST_ID = 8;
    public static final int REQUEST_TARGET_SYSTEM = 10;
    public static final int REQUEST_TARGET_COMPONENT = 11;

    public static final int DATA_MESSAGE_LENGTH = 97;
    public static final int DATA_OFFSET = 0;
    public static final int DATA_ID = 4;
    public static final int DATA_COUNT = 6;
    public static final int DATA_BYTES = 7;

    public static final int END_LENGTH = 2;
    public static final int END_TARGET_SYSTEM = 0;
    public static final int END_TARGET_COMPONENT = 1;

    private LogTransferLayout() {}
}
