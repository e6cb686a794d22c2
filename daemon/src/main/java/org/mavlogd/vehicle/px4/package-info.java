/** The log conversation with PX4: START, log chunks with and without acks, STOP. Owned by the link's thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.vehicle.px4;
