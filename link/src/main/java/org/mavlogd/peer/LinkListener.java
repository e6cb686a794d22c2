package org.mavlogd.peer;

import org.jspecify.annotations.Nullable;

/** Receives the events of one link. All calls come from the link's own thread. */
public interface LinkListener {
    /**
     * A peer appeared: a TCP connection or serial port was opened, a UDP peer is configured or sent its first datagram,
     * or a program sent to a Unix socket for the first time.
     */
    void onPeerUp(Peer peer, long nowNs);

    /** Bytes from a peer; the buffer is valid only during the call. Hot path. */
    void onBytes(Peer peer, byte[] buffer, int offset, int length, long nowNs);

    /**
     * Until {@link #onWaitedEnd}, bytes are of datagrams that the kernel held back by {@link #bulk}. Each came after
     * {@code sinceNs}; the times in {@link #onBytes} are estimates. Hot path.
     */
    default void onWaited(long sinceNs) {}

    /** See {@link #onWaited}. Hot path. */
    default void onWaitedEnd() {}

    /**
     * All datagrams that waited when the thread woke have been delivered; streams deliver all bytes in one call. Hot
     * path.
     */
    default void onRoundEnd() {}

    /**
     * The peer is gone: the connection ended, the device was unplugged, or the address was forgotten after a long
     * silence.
     */
    void onPeerDown(Peer peer, long nowNs);

    /**
     * Called at least every 100 ms, about every 20 ms while bytes arrive, with or without peers; but see {@link
     * #isUnhurried}.
     */
    void onTick(long nowNs);

    /**
     * Whether two ticks a second are enough while nothing arrives: each costs a wake-up. Called after each tick, batch
     * of bytes and task; must not throw.
     */
    default boolean isUnhurried() {
        return false;
    }

    /**
     * Whether a tick is needed within milliseconds. Called after each batch of bytes and after each tick; must not
     * throw.
     */
    default boolean wantsTickSoon() {
        return false;
    }

    /**
     * A call threw, and the listener continues: it must discard the partial input that it holds. Called before the next
     * bytes or tick.
     */
    default void restart() {}

    /**
     * Whether the next bytes may wait a few milliseconds in the kernel, so that one wake-up serves many frames. False
     * while somebody waits for an answer. Called after each batch of bytes. Hot path.
     */
    boolean mayWait();

    /**
     * Whether they may wait for {@code 2 ms} although {@link #mayWait} is false, because only other programs wait for
     * them. Called if {@link #mayWait} is false; must not throw. Hot path.
     */
    default boolean mayWaitBriefly() {
        return false;
    }

    /**
     * Whether they may wait for 200 ms, because they carry their own times and are not answered. Ticks may be as late.
     * Called if {@link #mayWait} is true; must not throw. Hot path.
     */
    default boolean isPatient() {
        return false;
    }

    /**
     * The datagrams that may wait in the kernel, and for how long; null if none may. They are delivered with their
     * estimated times of arrival. Called after each tick; must not throw.
     */
    default @Nullable BulkRule bulk() {
        return null;
    }
}
