package org.mavlogd.vehicle.px4;

/**
 * The messages that a session sends to its vehicle. Sending never blocks; messages that the link does not take are
 * lost.
 */
public interface Px4Outbox {
    /** Sends MAV_CMD_LOGGING_START for the ULog format. */
    void sendStart();

    /** Sends MAV_CMD_LOGGING_STOP. */
    void sendStop();

    /** Sends LOGGING_ACK. */
    void sendAck(int sequence);
}
