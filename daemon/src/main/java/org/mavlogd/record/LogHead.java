package org.mavlogd.record;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * What every file of a log must begin with so that it can be read alone: the file header, all definitions, and the
 * subscriptions and changed parameters of the data section so far.
 */
final class LogHead {
    // PX4's definitions take 82 to 88 KiB; metadata and parameters of other builds at most a few times that.
    private static final int MAX_BYTES = 8 << 20;

    private final ExpandableArrayBuffer bytes = new ExpandableArrayBuffer(128 << 10);
    private int length;
    private boolean definitionsEnded;

    void onHeader(DirectBuffer buffer, int offset) {
        add(buffer, offset, ULogLayout.HEADER_LENGTH);
    }

    /** Keeps the message if a reader of later files needs it; returns whether it was kept. */
    boolean onMessage(DirectBuffer buffer, int offset, int messageLength) {
        byte type = buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET);
        boolean kept = switch (type) {
            case MessageType.DATA,
                    MessageType.LOGGED_STRING,
                    MessageType.TAGGED_STRING,
                    MessageType.SYNC,
                    MessageType.DROPOUT -> {
                definitionsEnded = true;
                yield false;
            }
            case MessageType.FORMAT, MessageType.SUBSCRIPTION, MessageType.PARAMETER, MessageType.DEFAULT_PARAMETER ->
                true;
            default -> !definitionsEnded;
        };
        return kept && add(buffer, offset, messageLength);
    }

    /** True once the first message of the data section has passed. */
    boolean isComplete() {
        return definitionsEnded;
    }

    DirectBuffer buffer() {
        return bytes;
    }

    int length() {
        return length;
    }

    private boolean add(DirectBuffer buffer, int offset, int count) {
        if (length + count > MAX_BYTES) {
            return false; // a later file lacks what does not fit; this one has it
        }
        bytes.putBytes(length, buffer, offset, count);
        length += count;
        return true;
    }
}
