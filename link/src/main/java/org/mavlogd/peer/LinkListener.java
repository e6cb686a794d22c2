package org.mavlogd.peer;

import org.jspecify.annotations.Nullable;

/** Hears everything that happens on one link. All calls come from the link's own thread. */
public interface LinkListener {
    /**
     * A peer is there: a TCP connection is open, a serial port is open, a UDP peer is configured or sent its first
     * datagram, as did a program to a Unix socket.
     */
    void onPeerUp(Peer peer, long nowNs);

    /** Bytes of a peer; the buffer is valid during the call only. Hot path. */
    void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs);

    /** The datagrams that waited when the thread woke have been delivered; streams deliver all in one call. Hot path. */
    default void onRoundEnd() {}

    /** The connection ended, the device went away, or the address was forgotten after long silence. */
    void onPeerDown(Peer peer, long nowNs);

    /** Called at least every 100 ms, about every 20 ms while bytes arrive, also while no peer is there; but see {@link #isUnhurried}. */
    void onTick(long nowNs);

    /** Whether two ticks a second are enough while nothing arrives: each costs a wake-up. Asked after each tick; must not throw. */
    default boolean isUnhurried() {
        return false;
    }

    /** Whether a tick is wanted within milliseconds. Asked after each batch of bytes and after each tick; must not throw. */
    default boolean wantsTickSoon() {
        return false;
    }

    /**
     * A call threw, and the listener is a part of its own: what it keeps of the bytes that were under way is to be dropped. Comes
     * before the next bytes or tick.
     */
    default void restart() {}

    /**
     * Whether the next bytes may wait a few milliseconds in the kernel, so that one wake-up serves many frames. False
     * while somebody waits for an answer. Asked after each batch of bytes. Hot path.
     */
    boolean mayWait();

    /**
     * Whether they may wait for {@code 2 ms} where {@link #mayWait} is false: not we need them at once, but other programs wait for
     * them. Asked where {@link #mayWait} is false; must not throw. Hot path.
     */
    default boolean mayWaitBriefly() {
        return false;
    }

    /**
     * Whether they may even wait for a fifth of a second, because they hold their own times and nobody is answered. Ticks may
     * come as late. Asked where {@link #mayWait} is true; must not throw. Hot path.
     */
    default boolean isPatient() {
        return false;
    }

    /**
     * Which datagrams may wait in the kernel, apart from all others, and how long; null when none may. They get the
     * times at which they must have come, not those at which they are read. Asked after each tick; must not throw.
     */
    default @Nullable BulkRule bulk() {
        return null;
    }
}
