package org.mavlogd.peer;

/**
 * The other side of a link: a UDP address, a TCP connection, a program that sends to a Unix socket, or the device at a
 * serial port.
 *
 * <p>Only the link's own thread may call {@link #send}. A peer object stays the same for as long as the peer does,
 * so that it can be used as a key by identity.
 */
public interface Peer {
    /** The peer as people write it: {@code 127.0.0.1:14550} or {@code /dev/ttyTHS1}. */
    String address();

    /** True when each call of {@link LinkListener#onBytes} carries exactly one datagram. */
    boolean isDatagram();

    /**
     * Sends bytes without ever waiting. What the transport does not take is dropped and counted by the link; a datagram
     * is dropped whole.
     */
    void send(byte[] buffer, int offset, int length);

    /**
     * Whether something that is not urgent may be sent now: little of what was sent waits before it, so that what is urgent
     * neither waits for long nor is dropped. Link's thread. Hot path.
     */
    default boolean isReady() {
        return true;
    }

    /** Whether {@link #sendDirectly} may be called. Always the same for one link. Any thread. */
    default boolean isDirect() {
        return false;
    }

    /**
     * Sends a datagram from one thread that is not the link's, so that the link's need not wake up. Never waits. Hot path.
     *
     * @return false when the transport takes nothing now; true when it took the datagram, or can never send it: then the link counts it
     */
    default boolean sendDirectly(byte[] buffer, int offset, int length) {
        throw new IllegalStateException(address() + ": only the link's thread can send");
    }

    /**
     * True when the peer is there without doubt: a port, an open connection, an address that we were told. The
     * source of a datagram may be forged: who sends to it without being asked sends to somebody else.
     */
    default boolean isExpected() {
        return !isDatagram();
    }

    /** False when nothing can be sent there: programs that send to a Unix socket without a name of their own. */
    default boolean isReachable() {
        return true;
    }

    /** What the listener thinks of the peer; where there is room for a few only, it decides who stays. Link's thread. */
    default void rank(Rank rank) {}

    /** How much a peer matters to us; those that matter least make room for new ones. */
    public enum Rank {
        /** Nothing but bytes came from there so far. */
        STRANGER,
        /** A frame that we take came from there. */
        SPEAKER,
        /** A vehicle is led from there. */
        VEHICLE
    }
}
