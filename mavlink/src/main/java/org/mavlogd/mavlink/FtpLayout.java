package org.mavlogd.mavlink;

/**
 * Payload of FILE_TRANSFER_PROTOCOL, which carries requests to a vehicle's file server and its replies. Little endian.
 *
 * <pre>
 * targetNetwork  targetSystem  targetComponent  number(2)  session  opcode  size  requestOpcode  burstComplete  -
 * 0              1             2                3          5        6       7     8              9              10
 * offset(4)  data(239)
 * 11         15
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/services/ftp.html">File Transfer Protocol</a>
 */
public final class FtpLayout {
    public static final int LENGTH = 254;
    public static final int TARGET_SYSTEM = 1;
    public static final int TARGET_COMPONENT = 2;
    /** Unsigned 16 bit: a reply's is one more than its request's; each packet of a burst has the next. */
    public static final int NUMBER = 3;

    public static final int SESSION = 5;
    public static final int OPCODE = 6;
    public static final int SIZE = 7;
    public static final int REQUEST_OPCODE = 8;
    public static final int BURST_COMPLETE = 9;
    public static final int OFFSET = 11;
    public static final int DATA = 15;
    public static final int DATA_LENGTH = 239;

    public static final int TERMINATE_SESSION = 1;
    public static final int RESET_SESSIONS = 2;
    public static final int LIST_DIRECTORY = 3;
    public static final int OPEN_FILE_RO = 4;
    public static final int READ_FILE = 5;
    public static final int CALC_FILE_CRC32 = 14;
    public static final int BURST_READ_FILE = 15;
    public static final int ACK = 128;
    public static final int NAK = 129;

    public static final int ERROR_FAIL = 1;
    public static final int ERROR_FAIL_ERRNO = 2;
    public static final int ERROR_INVALID_DATA_SIZE = 3;
    public static final int ERROR_INVALID_SESSION = 4;
    public static final int ERROR_NO_SESSIONS_AVAILABLE = 5;
    public static final int ERROR_END_OF_FILE = 6;
    public static final int ERROR_UNKNOWN_COMMAND = 7;
    public static final int ERROR_FILE_NOT_FOUND = 10;

    private FtpLayout() {}
}
