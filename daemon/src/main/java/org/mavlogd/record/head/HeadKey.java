package org.mavlogd.record.head;

import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * The bytes of a message that identify which later message replaces it: a subscription's message id, a parameter's
 * name, and for a default the name with its default types. Reused; owned by one thread.
 */
final class HeadKey {
    private static final long MULTIPLIER = new SplittableRandom().nextLong() | 1;

    private int type;
    private int at;
    private int length;
    private int kind;

    /** Reads the key of a message; false if it has none. */
    boolean read(DirectBuffer buffer, int offset, int messageLength) {
        type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        kind = 0;
        if (type == MessageType.SUBSCRIPTION) {
            at = payload + 1;
            length = Short.BYTES;
            return messageLength >= ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SUBSCRIPTION_HEADER_SIZE;
        }
        // 'P': key length, key; 'Q': default types, key length, key
        boolean isDefault = type == MessageType.DEFAULT_PARAMETER;
        at = payload + (isDefault ? 2 : 1);
        length = at > offset + messageLength ? 0 : buffer.getByte(at - 1) & 0xFF;
        if (length == 0 || at + length > offset + messageLength) {
            return false;
        }
        kind = isDefault ? buffer.getByte(at - 2) : 0;
        skipType(buffer);
        return true;
    }

    /** Reads the key of a subscription that ends. */
    boolean readEnded(DirectBuffer buffer, int offset, int messageLength) {
        type = MessageType.SUBSCRIPTION;
        kind = 0;
        at = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        length = Short.BYTES;
        return messageLength >= ULogLayout.MESSAGE_HEADER_LENGTH + Short.BYTES;
    }

    /** Leaves out the type: a parameter whose type changes is the same parameter. */
    private void skipType(DirectBuffer buffer) {
        int end = at + length;
        for (int i = at; i < end; i++) {
            if (buffer.getByte(i) == ' ') {
                length = end - i - 1;
                at = i + 1;
                return;
            }
        }
    }

    /** Differs from run to run, so that nobody can send keys with equal hashes on purpose. */
    int hash(DirectBuffer buffer) {
        long hash = kind;
        for (int i = at; i < at + length; i++) {
            hash = (hash + buffer.getByte(i) + 1) * MULTIPLIER;
        }
        return (int) (hash ^ hash >>> Integer.SIZE);
    }

    boolean equals(DirectBuffer buffer, HeadKey other, DirectBuffer others) {
        boolean isSubscription = type == MessageType.SUBSCRIPTION;
        boolean isOther = isSubscription != (other.type == MessageType.SUBSCRIPTION);
        if (isOther || length != other.length || kind != other.kind) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(at + i) != others.getByte(other.at + i)) {
                return false;
            }
        }
        return true;
    }

    static int length(DirectBuffer buffer, int offset) {
        return ULogLayout.MESSAGE_HEADER_LENGTH + (buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
    }
}
