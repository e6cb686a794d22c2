/**
 * Vehicles and the conversations with them: vehicles are found by their heartbeats, and each gets one log conversation.
 * Frames count when their signature and their source allow it; what senders can make us keep or say is bounded.
 * Everything of one link is owned by that link's thread; only {@link org.mavlogd.vehicle.VehicleClaims} is shared.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle;
