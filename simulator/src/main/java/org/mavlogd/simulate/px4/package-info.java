/** Simulates a PX4: its logger with stop-and-wait acks, a real log, and its telemetry. Time is an argument. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.simulate.px4;
