package org.mavlogd.record.order;

import org.agrona.DirectBuffer;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/** Detects a log message of level critical, alert or emergency: it may be the vehicle's last. Hot path. */
public final class UrgentText {
    // Some writers store the level as a number, not as a digit.
    private static final int MAX_CRITICAL_NUMBER = 2;

    private UrgentText() {}

    /** Whether a ULog message is such a log message. */
    public static boolean is(DirectBuffer buffer, int offset, int length) {
        byte type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        boolean text = type == MessageType.LOGGED_STRING || type == MessageType.TAGGED_STRING;
        if (!text || length == ULogLayout.MESSAGE_HEADER_LENGTH) {
            return false;
        }
        byte level = buffer.getByte(offset + ULogLayout.MESSAGE_HEADER_LENGTH);
        return (level >= LogLevel.EMERGENCY.code() && level <= LogLevel.CRITICAL.code())
                || (level >= 0 && level <= MAX_CRITICAL_NUMBER);
    }
}
