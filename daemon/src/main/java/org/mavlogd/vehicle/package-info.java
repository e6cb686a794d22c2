/**
 * Vehicles and the conversations with them: vehicles are found by their heartbeats, and each gets one log conversation.
 * Frames are accepted if their signature and their source are valid. The memory that senders can make mavlogd use, and
 * the messages that they can make it send or log, are bounded. Everything of one link is owned by that link's thread;
 * only {@link org.mavlogd.vehicle.VehicleClaims} is shared.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle;
