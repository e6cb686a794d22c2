package org.mavlogd.record.order;

import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.ulog.MessageType;
import org.mavlogd.ulog.ULogLayout;

/**
 * Tracks which message ids a log has subscribed, and which of its messages have a timestamp. Reading a time is on the
 * hot path and allocates nothing; formats and subscriptions do.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Format Message", "Subscription
 *     Message"</a>
 */
public final class MessageTimes {
    /** The result for a message without a timestamp. */
    static final long NONE = -1;

    // A log has a few hundred formats; the limit keeps a forged stream from filling the memory.
    private static final int MAX_FORMATS = 8192;
    private static final int MAX_NAME_LENGTH = 256;
    private static final int FIRST_SLOTS = 64;
    // Differs from run to run, so that nobody can forge names with equal hashes.
    private static final long MULTIPLIER = new SplittableRandom().nextLong() | 1;
    private static final String FIRST_FIELD = ":uint64_t timestamp;";

    private final MemoryShare share;
    // Hashes of names; 0 is an empty slot.
    private long[] timedFormats = {};
    private int timedCount;
    private final BitSet subscribed = new BitSet();
    private final BitSet timed = new BitSet();

    public MessageTimes(MemoryShare share) {
        this.share = share;
    }

    /** Takes formats, subscriptions and ends of subscriptions; ignores other messages. */
    public void onMessage(DirectBuffer buffer, int offset, int length) {
        switch (buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET)) {
            case MessageType.FORMAT -> onFormat(buffer, offset, length);
            case MessageType.SUBSCRIPTION -> onSubscription(buffer, offset, length);
            case MessageType.UNSUBSCRIPTION -> onUnsubscription(buffer, offset, length);
            default -> {}
        }
    }

    /** 'F': {@code name:uint64_t timestamp;...}. */
    private void onFormat(DirectBuffer buffer, int offset, int length) {
        String text = text(buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH, offset + length);
        int colon = text.indexOf(':');
        if (colon > 0 && colon <= MAX_NAME_LENGTH && text.startsWith(FIRST_FIELD, colon) && hasRoom()) {
            int slot = slot(timedFormats, hash(text, colon));
            timedCount += timedFormats[slot] == 0 ? 1 : 0;
            timedFormats[slot] = hash(text, colon);
        }
    }

    /** Grows the table if necessary: half of it stays empty. */
    private boolean hasRoom() {
        if (2 * (timedCount + 1) <= timedFormats.length) {
            return true;
        }
        int next = Math.max(FIRST_SLOTS, 2 * timedFormats.length);
        if (timedCount >= MAX_FORMATS || !share.reserve((long) next * Long.BYTES)) {
            return false;
        }
        long[] grown = new long[next];
        for (long name : timedFormats) {
            if (name != 0) {
                grown[slot(grown, name)] = name;
            }
        }
        share.release((long) timedFormats.length * Long.BYTES);
        timedFormats = grown;
        return true;
    }

    private static int slot(long[] names, long name) {
        int slot = (int) (name >>> Integer.SIZE) & (names.length - 1);
        while (names[slot] != 0 && names[slot] != name) {
            slot = (slot + 1) & (names.length - 1);
        }
        return slot;
    }

    private static long hash(String text, int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = (hash + text.charAt(i) + 1) * MULTIPLIER;
        }
        return hash == 0 ? 1 : hash;
    }

    private boolean isTimed(String name) {
        return timedCount > 0 && timedFormats[slot(timedFormats, hash(name, name.length()))] != 0;
    }

    /** 'A': the id is subscribed. */
    private void onSubscription(DirectBuffer buffer, int offset, int length) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        if (length < ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SUBSCRIPTION_HEADER_SIZE) {
            return;
        }
        int messageId = uint16(buffer, payload + 1);
        String name = text(buffer, payload + ULogLayout.SUBSCRIPTION_HEADER_SIZE, offset + length);
        subscribed.set(messageId);
        timed.set(messageId, isTimed(name));
    }

    /** 'R': the id is no longer subscribed. */
    private void onUnsubscription(DirectBuffer buffer, int offset, int length) {
        if (length >= ULogLayout.MESSAGE_HEADER_LENGTH + Short.BYTES) {
            subscribed.clear(uint16(buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH));
        }
    }

    /** Whether a data message's id is subscribed; else nobody can read it. */
    public boolean isSubscribed(DirectBuffer buffer, int offset, int length) {
        return length >= ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE
                && subscribed.get(uint16(buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH));
    }

    /** The timestamp of a message in microseconds, or {@link #NONE}. */
    public long timestampUs(DirectBuffer buffer, int offset, int length) {
        int payload = offset + ULogLayout.MESSAGE_HEADER_LENGTH;
        int before = switch (buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET)) {
            case MessageType.DATA -> timed.get(uint16(buffer, payload)) ? ULogLayout.DATA_HEADER_SIZE : -1;
            case MessageType.LOGGED_STRING -> ULogLayout.LOGGED_STRING_HEADER_SIZE - Long.BYTES;
            case MessageType.TAGGED_STRING -> ULogLayout.TAGGED_STRING_HEADER_SIZE - Long.BYTES;
            default -> -1;
        };
        if (before < 0 || length < ULogLayout.MESSAGE_HEADER_LENGTH + before + Long.BYTES) {
            return NONE;
        }
        return Math.max(NONE, buffer.getLong(payload + before, ByteOrder.LITTLE_ENDIAN));
    }

    /** The message id of a data message, or {@link TopicLagTracker#NO_TOPIC}. */
    public static int topic(DirectBuffer buffer, int offset) {
        return buffer.getByte(offset + ULogLayout.MESSAGE_TYPE_OFFSET) == MessageType.DATA
                ? uint16(buffer, offset + ULogLayout.MESSAGE_HEADER_LENGTH)
                : TopicLagTracker.NO_TOPIC;
    }

    private static int uint16(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private static String text(DirectBuffer buffer, int begin, int end) {
        return buffer.getStringWithoutLengthAscii(begin, end - begin);
    }
}
