package org.mavlogd.peer;

/**
 * Separates datagrams that may wait in the kernel from those that wake the link's thread at once. Waiting datagrams are
 * read together now and then, and always before a datagram that wakes the thread: so it keeps its place.
 */
public interface BulkRule {
    /** How long they may wait at most. */
    long longestNs();

    /**
     * A classic BPF program that the kernel runs over each datagram's bytes: 1 for one that may wait, 0 for all others. One
     * instruction in each element, as in Linux' {@code struct sock_filter}: code, jt, jf, k from the highest bits down, with 16, 8,
     * 8 and 32 bits.
     */
    long[] program();

    /** Whether a datagram is of the kind that waits: some come before the kernel sorts, or in one datagram with others. Hot path. */
    boolean isBulk(byte[] woke, int length);

    /**
     * Where in a datagram that woke the thread the first frame begins that has its place among those that wait, as also those of
     * their kind have; negative if there is none. Hot path.
     */
    int place(byte[] woke, int length);

    /** Whether a datagram that waited comes before the frame that has its {@link #place} in one that woke the thread. Hot path. */
    boolean isBefore(byte[] waited, int length, byte[] woke, int place);

    /**
     * Whether a frame that has a {@link #place} shares its datagram with others: its sender packs, and what waits would be overtaken
     * again and again. Hot path.
     */
    boolean isPacked(byte[] woke, int length);
}
