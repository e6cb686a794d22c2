/**
 * Who is there, and what is said with whom: vehicles are found by their heartbeats, and each gets one log conversation.
 * Everything of one link is owned by that link's thread; only {@link org.mavlogd.vehicle.VehicleClaims} is shared.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle;
