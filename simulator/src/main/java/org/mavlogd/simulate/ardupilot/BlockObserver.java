package org.mavlogd.simulate.ardupilot;

/**
 * Hears what a simulated ArduPilot really logged: the truth against which a recording is judged. All calls come from the
 * vehicle's thread; buffers are valid during the call only.
 */
public interface BlockObserver {
    /** Hears nothing. */
    BlockObserver NONE = new BlockObserver() {};

    /** A log begins with block 0. */
    default void onLogStart(long nowNs) {}

    /** A block is full: it is sent from now on, until it is acknowledged or the log ends. */
    default void onBlock(long number, byte[] data, long nowNs) {}

    /** Somebody said that a block is here. */
    default void onAck(long number, long nowNs) {}

    /** Somebody said that a block is missing, whether or not it can be sent again. */
    default void onNack(long number, long nowNs) {}

    /** The log is over: stopped, given up, or ended by a reboot. */
    default void onLogEnd(long nowNs) {}
}
