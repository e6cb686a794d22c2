package org.mavlogd.record.local;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.mavlogd.recovery.LocalMarks;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/** Reads the definitions and subscriptions that an earlier run wrote into a file for its local topics. */
final class LocalHeadReader {
    /** A local subscription. */
    record Subscription(int multiId, int messageId, String name) {}

    private final List<String> names = new ArrayList<>();
    private final Map<String, String> formats = new LinkedHashMap<>();
    // By message id; if two have the same id, the later one is valid.
    private final Map<Integer, Subscription> subscriptions = new LinkedHashMap<>();

    LocalHeadReader(DirectBuffer bytes) {
        int offset = 0;
        while (bytes.capacity() - offset >= ULogLayout.MESSAGE_HEADER_LENGTH) {
            int begin = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
            int end = begin + (bytes.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
            byte type = bytes.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
            if (type == MessageType.MULTI_INFO) {
                onNames(bytes, begin, end);
            } else if (type == MessageType.FORMAT) {
                onFormat(bytes.getStringWithoutLengthAscii(begin, end - begin));
            } else if (type == MessageType.SUBSCRIPTION) {
                onSubscription(bytes, begin, end);
            }
            offset = end;
        }
    }

    private void onNames(DirectBuffer bytes, int begin, int end) {
        int value = begin + 2 + (bytes.getByte(begin + 1) & 0xFF);
        if (value < end) {
            Collections.addAll(
                    names, bytes.getStringWithoutLengthAscii(value, end - value).split(","));
        }
    }

    private void onFormat(String text) {
        int colon = text.indexOf(':');
        if (colon > 0) {
            formats.put(text.substring(0, colon), text.substring(colon + 1));
        }
    }

    private void onSubscription(DirectBuffer bytes, int begin, int end) {
        int multiId = bytes.getByte(begin) & 0xFF;
        int messageId = bytes.getShort(begin + 1, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        int name = begin + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        subscriptions.put(
                messageId, new Subscription(multiId, messageId, bytes.getStringWithoutLengthAscii(name, end - name)));
    }

    /** The names listed in {@link LocalMarks#TOPICS}. */
    List<String> names() {
        return names;
    }

    /** The fields of local formats, by name. */
    Map<String, String> formats() {
        return formats;
    }

    Iterable<Subscription> subscriptions() {
        return subscriptions.values();
    }
}
