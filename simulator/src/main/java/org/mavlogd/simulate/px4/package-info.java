/** A simulated PX4: its logger with stop-and-wait acks, its log made of a real one, its telemetry. Time is an argument. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.simulate.px4;
