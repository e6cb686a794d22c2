package org.mavlogd.mavlink;

/**
 * Offsets in a frame.
 *
 * <pre>
 * MAVLink 2   0xFD  length  incompat  compat  sequence  system  component  id(3)  payload  checksum(2)  [signature(13)]
 *             0     1       2         3       4         5       6          7      10
 * MAVLink 1   0xFE  length  sequence  system  component  id  payload  checksum(2)
 *             0     1       2         3       4          5   6
 * signature   linkId(1)  timestamp(6)  hash(6)
 * </pre>
 *
 * All numbers are little endian. The checksum covers everything from the length on, and the message's CRC_EXTRA.
 *
 * @see <a href="https://mavlink.io/en/guide/serialization.html">Packet serialization</a>
 */
public final class FrameLayout {
    static final byte START_V1 = (byte) 0xFE;
    public static final byte START_V2 = (byte) 0xFD;

    static final int HEADER_LENGTH_V1 = 6;
    public static final int HEADER_LENGTH_V2 = 10;
    public static final int CHECKSUM_LENGTH = 2;
    public static final int SIGNATURE_LENGTH = 13;
    static final int MAX_PAYLOAD_LENGTH = 255;

    /** Including the signature. */
    static final int MAX_LENGTH = HEADER_LENGTH_V2 + MAX_PAYLOAD_LENGTH + CHECKSUM_LENGTH + SIGNATURE_LENGTH;

    public static final int LENGTH_OFFSET = 1;
    public static final int INCOMPAT_FLAGS_OFFSET_V2 = 2;
    static final int COMPAT_FLAGS_OFFSET_V2 = 3;
    static final int SEQUENCE_OFFSET_V1 = 2;
    static final int SEQUENCE_OFFSET_V2 = 4;
    static final int SYSTEM_OFFSET_V1 = 3;
    static final int SYSTEM_OFFSET_V2 = 5;
    static final int COMPONENT_OFFSET_V1 = 4;
    static final int COMPONENT_OFFSET_V2 = 6;
    static final int MESSAGE_ID_OFFSET_V1 = 5;
    public static final int MESSAGE_ID_OFFSET_V2 = 7;

    static final int SIGNATURE_TIMESTAMP_OFFSET = 1;
    static final int SIGNATURE_HASH_OFFSET = 7;
    static final int SIGNATURE_HASH_LENGTH = 6;

    public static final int INCOMPAT_FLAG_SIGNED = 0x01;

    private FrameLayout() {}

    /** Whether frames start with this byte. */
    public static boolean isStart(byte value) {
        return value == START_V2 || value == START_V1;
    }

    static int headerLength(byte[] buffer, int offset) {
        return buffer[offset] == START_V2 ? HEADER_LENGTH_V2 : HEADER_LENGTH_V1;
    }

    /** Length of the frame with header, checksum and signature. Needs a complete header. */
    public static int length(byte[] buffer, int offset) {
        boolean isSigned =
                buffer[offset] == START_V2 && (buffer[offset + INCOMPAT_FLAGS_OFFSET_V2] & INCOMPAT_FLAG_SIGNED) != 0;
        return checkedLength(buffer, offset) + (isSigned ? SIGNATURE_LENGTH : 0);
    }

    /** Length of the frame with header and checksum. Needs a complete header. */
    static int checkedLength(byte[] buffer, int offset) {
        return headerLength(buffer, offset) + (buffer[offset + LENGTH_OFFSET] & 0xFF) + CHECKSUM_LENGTH;
    }

    /** Id of the message. Needs a complete header. */
    public static int messageId(byte[] buffer, int offset) {
        if (buffer[offset] == START_V1) {
            return buffer[offset + MESSAGE_ID_OFFSET_V1] & 0xFF;
        }
        int at = offset + MESSAGE_ID_OFFSET_V2;
        return (buffer[at] & 0xFF) | (buffer[at + 1] & 0xFF) << 8 | (buffer[at + 2] & 0xFF) << 16;
    }

    /** Sequence number of the frame, 0 to 255. Needs a complete header. */
    public static int sequence(byte[] buffer, int offset) {
        return buffer[offset + (buffer[offset] == START_V2 ? SEQUENCE_OFFSET_V2 : SEQUENCE_OFFSET_V1)] & 0xFF;
    }

    /** System (bits 8 to 15) and component (bits 0 to 7). Needs a complete header. */
    public static int source(byte[] buffer, int offset) {
        int at = offset + (buffer[offset] == START_V2 ? SYSTEM_OFFSET_V2 : SYSTEM_OFFSET_V1);
        return (buffer[at] & 0xFF) << 8 | (buffer[at + 1] & 0xFF);
    }
}
