package org.mavlogd.peer;

/**
 * The other side of a link: a UDP address, a TCP connection, a program that sends to a Unix socket, or the device at a
 * serial port.
 *
 * <p>Only the link's own thread may call {@link #send}. The object is the same as long as the peer exists, so it can be
 * used as a key by identity.
 */
public interface Peer {
    /** The address in its usual form: {@code 127.0.0.1:14550} or {@code /dev/ttyTHS1}. */
    String address();

    /** Whether each call of {@link LinkListener#onBytes} has exactly one datagram. */
    boolean isDatagram();

    /**
     * Sends bytes without waiting. The link drops and counts bytes that the transport does not accept; a datagram is
     * dropped completely.
     */
    void send(byte[] buffer, int offset, int length);

    /**
     * How many less urgent bytes may be sent now, with one call, or one frame if that is longer: so few bytes wait then
     * that urgent ones are neither delayed nor dropped. 0 if enough wait already. Link's thread. Hot path.
     */
    default int room() {
        return Integer.MAX_VALUE;
    }

    /** Whether {@link #sendDirectly} may be called. Constant for a link. Any thread. */
    default boolean isDirect() {
        return false;
    }

    /**
     * Sends a datagram from one thread other than the link's, which then need not wake up. Never waits. Hot path.
     *
     * @return false if the transport accepts nothing now; true if it accepted the datagram or can never send it, which
     *     the link counts
     */
    default boolean sendDirectly(byte[] buffer, int offset, int length) {
        throw new IllegalStateException(address() + ": only the link's thread can send");
    }

    /**
     * Whether the peer certainly exists: a port, an open connection, or a configured address. The source of a datagram
     * may be forged; answering it could send to somebody else.
     */
    default boolean isExpected() {
        return !isDatagram();
    }

    /** Whether the peer can be answered: programs that send to a Unix socket without binding a path cannot. */
    default boolean isReachable() {
        return true;
    }

    /** Sets the importance of the peer; the least important ones are removed when there is no room. Link's thread. */
    default void rank(Rank rank) {}

    /** The importance of a peer; the least important ones are removed first. */
    public enum Rank {
        /** Only unusable bytes came from this peer so far. */
        STRANGER,
        /** A usable frame came from this peer. */
        SPEAKER,
        /** A vehicle is reached through this peer. */
        VEHICLE
    }
}
