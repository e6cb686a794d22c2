package org.mavlogd.mavlink;

/**
 * The packet in the payload of FILE_TRANSFER_PROTOCOL: a request to a vehicle's file server, or its reply. MAVLink
 * defines it only as bytes; its fields are listed here, with offsets from the start of the payload. Little endian.
 *
 * <pre>
 * number(2)  session  opcode  size  requestOpcode  burstComplete  -   offset(4)  data(239)
 * 3          5        6       7     8              9              10  11         15
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/services/ftp.html">File Transfer Protocol</a>
 */
public final class FtpLayout {
    public static final int LENGTH = FileTransferProtocolLayout.FULL_LENGTH;
    public static final int TARGET_SYSTEM = FileTransferProtocolLayout.TARGET_SYSTEM_OFFSET;
    public static final int TARGET_COMPONENT = FileTransferProtocolLayout.TARGET_COMPONENT_OFFSET;

    private static final int PACKET = FileTransferProtocolLayout.PAYLOAD_OFFSET;
    /** Unsigned 16 bit: a reply's number is its request's plus one; it increases with each packet of a burst. */
    public static final int NUMBER = PACKET;

    public static final int SESSION = PACKET + 2;
    public static final int OPCODE = PACKET + 3;
    public static final int SIZE = PACKET + 4;
    public static final int REQUEST_OPCODE = PACKET + 5;
    public static final int BURST_COMPLETE = PACKET + 6;
    public static final int OFFSET = PACKET + 8;
    public static final int DATA = PACKET + 12;
    public static final int DATA_LENGTH = LENGTH - DATA;

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
