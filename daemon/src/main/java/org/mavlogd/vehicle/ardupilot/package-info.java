/**
 * The log conversation with ArduPilot: START, numbered blocks that are acknowledged one by one, STOP. Owned by the link's
 * thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle.ardupilot;
