package org.mavlogd.ulog;

/**
 * Offsets, lengths and fixed values of the ULog format. All numbers in a log are little endian.
 *
 * <pre>
 * file header   0 magic (7) | 7 version (1) | 8 start, microseconds (8)
 * message       0 size of the payload (2) | 2 type (1) | 3 payload
 * flag bits    16 message header (3) | 19 compatible (8) | 27 incompatible (8) | 35 appended offsets (3 x 8)
 * </pre>
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "ULog File Structure"</a>
 */
public final class ULogLayout {
    /** The seven magic bytes as the low bytes of a little endian long. */
    public static final long MAGIC = 0x0035_1201_676F_4C55L;

    /** Mask of the seven magic bytes in the first eight of the header. */
    public static final long MAGIC_MASK = 0x00FF_FFFF_FFFF_FFFFL;

    public static final int VERSION = 1;
    public static final int VERSION_OFFSET = 7;
    public static final int START_TIME_OFFSET = 8;
    public static final int HEADER_LENGTH = 16;

    /** Length of size (2 bytes) and type (1 byte) before every payload. */
    public static final int MESSAGE_HEADER_LENGTH = 3;

    public static final int MESSAGE_SIZE_OFFSET = 0;
    public static final int MESSAGE_TYPE_OFFSET = 2;

    /** The largest payload, limited by its unsigned 16-bit size. */
    public static final int MAX_MESSAGE_SIZE = 0xFFFF;

    /** The longest message, including its header. */
    public static final int MAX_MESSAGE_LENGTH = MESSAGE_HEADER_LENGTH + MAX_MESSAGE_SIZE;

    /** Payload of the flag bits message as specified; later versions may be longer. */
    public static final int FLAG_BITS_SIZE = 40;

    /** Position in the file: the flag bits message always follows the header. */
    public static final int FLAG_BITS_POSITION = HEADER_LENGTH;

    public static final int COMPAT_FLAGS_POSITION = 19;
    public static final int INCOMPAT_FLAGS_POSITION = 27;
    public static final int APPENDED_OFFSETS_POSITION = 35;
    public static final int FLAGS_LENGTH = 8;
    public static final int MAX_APPENDED_SECTIONS = 3;

    /** Bit 0 of the first compatible byte: the log has default parameter messages. */
    public static final int COMPAT_DEFAULT_PARAMETERS = 1;

    /** Bit 0 of the first incompatible byte: at least one appended offset is set. */
    public static final int INCOMPAT_DATA_APPENDED = 1;

    /** The payload of a sync message as a little endian long. */
    public static final long SYNC_MAGIC = 0x12BB_0C25_2013_732FL;

    public static final int SYNC_SIZE = 8;

    /** Size of the message id before the fields of a data message. */
    public static final int DATA_HEADER_SIZE = 2;

    /** Size of multi id and message id before the name in a subscription. */
    public static final int SUBSCRIPTION_HEADER_SIZE = 3;

    /** Size of level and timestamp before the text of a logged string. */
    public static final int LOGGED_STRING_HEADER_SIZE = 9;

    /** Size of level, tag and timestamp before the text of a tagged logged string. */
    public static final int TAGGED_STRING_HEADER_SIZE = 11;

    public static final int DROPOUT_SIZE = 2;
    public static final int MAX_DROPOUT_MS = 0xFFFF;
    public static final int MAX_MESSAGE_ID = 0xFFFF;
    public static final int MAX_MULTI_ID = 0xFF;

    /** The largest payload of a sample, without its message id. */
    public static final int MAX_SAMPLE_SIZE = MAX_MESSAGE_SIZE - DATA_HEADER_SIZE;

    private ULogLayout() {}
}
