package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;

/**
 * A logged string, tagged or not.
 *
 * @param tag tag of the source, 0 to 65535, or {@link #NO_TAG}
 * @param timestampUs in microseconds
 * @param text without zeros at the end; invalid UTF-8 became U+FFFD
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Logged String Message"</a>
 */
public record LoggedText(LogLevel level, int tag, long timestampUs, String text) {
    public static final int NO_TAG = -1;

    public boolean isTagged() {
        return tag != NO_TAG;
    }

    static LoggedText read(byte[] buffer, int payload, int size) throws ULogException {
        return new LoggedText(
                LogLevel.of(buffer[payload]),
                NO_TAG,
                Bytes.int64(buffer, payload + 1),
                text(buffer, payload + ULogLayout.LOGGED_STRING_HEADER_SIZE, payload + size));
    }

    static LoggedText readTagged(byte[] buffer, int payload, int size) throws ULogException {
        return new LoggedText(
                LogLevel.of(buffer[payload]),
                Bytes.uint16(buffer, payload + 1),
                Bytes.int64(buffer, payload + 3),
                text(buffer, payload + ULogLayout.TAGGED_STRING_HEADER_SIZE, payload + size));
    }

    private static String text(byte[] buffer, int from, int to) {
        int end = to;
        while (end > from && buffer[end - 1] == 0) {
            end--;
        }
        return new String(buffer, from, end - from, StandardCharsets.UTF_8);
    }
}
