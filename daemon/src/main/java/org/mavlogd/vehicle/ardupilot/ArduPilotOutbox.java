package org.mavlogd.vehicle.ardupilot;

/**
 * The messages that a session sends to its vehicle. Sending never blocks; messages that the link does not take are
 * lost.
 */
public interface ArduPilotOutbox {
    /** Sends REMOTE_LOG_BLOCK_STATUS with the number that starts a log. */
    void sendBlockStart();

    /** Sends REMOTE_LOG_BLOCK_STATUS with the number that ends the log. */
    void sendBlockStop();

    /** Sends REMOTE_LOG_BLOCK_STATUS for a received block. Hot path. */
    void sendBlockAck(long number);

    /** Sends REMOTE_LOG_BLOCK_STATUS for a missing block. */
    void sendBlockNack(long number);
}
