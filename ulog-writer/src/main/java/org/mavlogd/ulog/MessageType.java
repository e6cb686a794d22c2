package org.mavlogd.ulog;

/**
 * The type bytes of ULog messages.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Definitions Section", "Data
 *     Section"</a>
 */
public final class MessageType {
    public static final byte FLAG_BITS = 'B';
    public static final byte FORMAT = 'F';
    public static final byte INFO = 'I';
    public static final byte MULTI_INFO = 'M';
    public static final byte PARAMETER = 'P';
    public static final byte DEFAULT_PARAMETER = 'Q';
    public static final byte SUBSCRIPTION = 'A';
    public static final byte UNSUBSCRIPTION = 'R';
    public static final byte DATA = 'D';
    public static final byte LOGGED_STRING = 'L';
    public static final byte TAGGED_STRING = 'C';
    public static final byte SYNC = 'S';
    public static final byte DROPOUT = 'O';

    private MessageType() {}

    /** Whether the current specification defines this type. */
    public static boolean isKnown(int type) {
        return switch (type) {
            case FLAG_BITS,
                    FORMAT,
                    INFO,
                    MULTI_INFO,
                    PARAMETER,
                    DEFAULT_PARAMETER,
                    SUBSCRIPTION,
                    UNSUBSCRIPTION,
                    DATA,
                    LOGGED_STRING,
                    TAGGED_STRING,
                    SYNC,
                    DROPOUT -> true;
            default -> false;
        };
    }

    /** Whether a message of this type ends the definitions: a subscription or a logged string. */
    public static boolean endsDefinitions(int type) {
        return type == SUBSCRIPTION || type == LOGGED_STRING || type == TAGGED_STRING;
    }

    /** Whether this type may occur in the data section, and so in an appended section. */
    public static boolean isDataSection(int type) {
        return isKnown(type) && type != FLAG_BITS && type != FORMAT;
    }
}
