package org.mavlogd.vehicle.ardupilot;

/**
 * Who talks with whom.
 *
 * @param systemId the vehicle's system id, under which we speak too
 * @param ownComponentId our component id
 * @param noticesLeaving whether the vehicle notices that its recorder left. By datagrams it does; on a TCP connection or a serial
 *     port its output stands still when nobody reads, and then ArduPilot never starts the time-out for missing acks
 */
public record ArduPilotSessionSettings(int systemId, int ownComponentId, boolean noticesLeaving) {}
