package org.mavlogd.vehicle.ardupilot;

/**
 * The messages that a session sends to its vehicle. Nothing waits; what the link does not take is lost, as on any link.
 */
public interface ArduPilotOutbox {
    /** REMOTE_LOG_BLOCK_STATUS that asks for the log. */
    void sendBlockStart();

    /** REMOTE_LOG_BLOCK_STATUS that ends the log. */
    void sendBlockStop();

    /** REMOTE_LOG_BLOCK_STATUS for a block that is here. Hot path. */
    void sendBlockAck(long number);

    /** REMOTE_LOG_BLOCK_STATUS for a block that is missing. */
    void sendBlockNack(long number);
}
