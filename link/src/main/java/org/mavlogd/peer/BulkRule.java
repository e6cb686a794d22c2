package org.mavlogd.peer;

/**
 * Separates datagrams that may wait in the kernel from those that wake the link's thread at once. Waiting datagrams are
 * read together from time to time, and always before a datagram that wakes the thread, so that the order is kept.
 */
public interface BulkRule {
    /** Maximum time that they may wait. */
    long longestNs();

    /**
     * A classic BPF program that the kernel runs on each datagram: returns 1 for one that may wait, 0 for all others.
     * Each element is one instruction as in Linux' {@code struct sock_filter}: code (16 bits), jt (8), jf (8) and k
     * (32), from the highest bits down.
     */
    long[] program();

    /**
     * Whether {@link #program} returns 1 for a datagram. Such datagrams may wake the thread before the kernel sorts. Hot
     * path.
     */
    boolean isBulk(byte[] datagram, int length);

    /**
     * Offset, in a datagram that woke the thread, of the first frame that has an order with the waiting datagrams;
     * negative if there is none. Hot path.
     */
    int place(byte[] woke, int length);

    /**
     * Whether a datagram that woke the thread may end what waiting datagrams belong to: all that arrived before it must
     * be delivered first, also what came while other datagrams of the same round were read. Hot path.
     */
    boolean mayEnd(byte[] woke, int length);

    /**
     * Compares a waiting datagram with the frame at {@code place} in a datagram of the same sender that woke the thread:
     * negative if it comes before, positive if not, 0 if they have no order. Hot path.
     */
    int order(byte[] waited, int length, byte[] woke, int place);

    /**
     * Whether a frame with a {@link #place} shares its datagram with others: the sender packs frames, and these would
     * overtake the waiting ones again and again. Hot path.
     */
    boolean isPacked(byte[] woke, int length);
}
