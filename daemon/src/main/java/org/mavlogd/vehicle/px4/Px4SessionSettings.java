package org.mavlogd.vehicle.px4;

/**
 * Who talks with whom, and how patiently.
 *
 * @param systemId the vehicle's system id, under which we speak too
 * @param componentId the vehicle's component id
 * @param ownComponentId our component id
 * @param silenceNs how long a vehicle that is heard may send no log data before its log is taken to be over
 */
public record Px4SessionSettings(int systemId, int componentId, int ownComponentId, long silenceNs) {
    /** 0 addresses every system, or every component of one. */
    private static final int BROADCAST = 0;

    /** Whether the chunk is addressed to us, by name or with everybody else. */
    boolean isTarget(LogChunk chunk) {
        int system = chunk.targetSystem();
        int component = chunk.targetComponent();
        return (system == systemId || system == BROADCAST) && (component == ownComponentId || component == BROADCAST);
    }
}
