package org.mavlogd.vehicle.px4;

/**
 * The messages that a session sends to its vehicle. Nothing waits; what the link does not take is lost, as on any link.
 */
public interface Px4Outbox {
    /** MAV_CMD_LOGGING_START with ULog format. */
    void sendStart();

    /** MAV_CMD_LOGGING_STOP. */
    void sendStop();

    /** LOGGING_ACK. */
    void sendAck(int sequence);
}
