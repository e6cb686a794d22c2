/** The log conversation with PX4: START, acknowledged and plain log chunks, STOP. Owned by the link's thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle.px4;
