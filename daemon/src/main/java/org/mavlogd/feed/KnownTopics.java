package org.mavlogd.feed;

import java.util.BitSet;

/**
 * The message ids that a log has subscribed, with the lengths of their messages. Immutable; reading allocates nothing.
 */
public final class KnownTopics {
    /** The id is subscribed, but no message of it has come. */
    public static final int UNSEEN = 0;

    /** No subscription names the id. */
    public static final int UNKNOWN = -1;

    private static final int IDS = 0x1_0000;

    // By id: the size of the payload as stored, in 16 bits.
    private final short[] sizes;
    private final BitSet subscribed;
    private final BitSet timed;

    private KnownTopics(Collector from) {
        this.subscribed = (BitSet) from.subscribed.clone();
        this.timed = (BitSet) from.timed.clone();
        this.sizes = new short[subscribed.length()];
        System.arraycopy(from.sizes, 0, sizes, 0, sizes.length);
    }

    /** The payload's size in bytes, {@link #UNSEEN} or {@link #UNKNOWN}. */
    public int size(int messageId) {
        return subscribed.get(messageId) ? sizes[messageId] & 0xFFFF : UNKNOWN;
    }

    /** Whether its messages begin with a timestamp. */
    public boolean isTimed(int messageId) {
        return timed.get(messageId);
    }

    /** Collects the message ids of a log. Owned by one thread. */
    public static final class Collector {
        private final short[] sizes = new short[IDS];
        private final BitSet subscribed = new BitSet();
        private final BitSet timed = new BitSet();

        public void subscribed(int messageId, boolean isTimed) {
            subscribed.set(messageId);
            timed.set(messageId, isTimed);
            sizes[messageId] = UNSEEN;
        }

        /** Notes a data message with this payload. */
        public void seen(int messageId, int size) {
            sizes[messageId] = (short) size;
        }

        public boolean isTimed(int messageId) {
            return timed.get(messageId);
        }

        public KnownTopics topics() {
            return new KnownTopics(this);
        }
    }
}
