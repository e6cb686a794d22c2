package org.mavlogd.vehicle.ardupilot;

/**
 * Who talks with whom.
 *
 * @param systemId the vehicle's system id, under which we speak too
 * @param ownComponentId our component id
 */
public record ArduPilotSessionSettings(int systemId, int ownComponentId) {}
