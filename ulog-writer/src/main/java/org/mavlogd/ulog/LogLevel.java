package org.mavlogd.ulog;

/**
 * Severity of a logged string, as in the Linux kernel. In a log it is an ASCII digit from {@code '0'} to {@code '7'}.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Logged String Message"</a>
 */
public enum LogLevel {
    EMERGENCY('0'),
    ALERT('1'),
    CRITICAL('2'),
    ERROR('3'),
    WARNING('4'),
    NOTICE('5'),
    INFO('6'),
    DEBUG('7');

    private static final LogLevel[] BY_DIGIT = values();

    private final byte code;

    LogLevel(char code) {
        this.code = (byte) code;
    }

    /** The byte in the log. */
    public byte code() {
        return code;
    }

    /** The level of a byte from a log. Accepts the plain number too, which some writers store instead of the digit. */
    public static LogLevel of(int code) throws ULogException {
        if (!isLevel(code)) {
            throw new ULogException("log level " + code + " is not one of '0' to '7'");
        }
        return BY_DIGIT[code & 7];
    }

    static boolean isLevel(int code) {
        return (code >= '0' && code <= '7') || (code >= 0 && code <= 7);
    }
}
