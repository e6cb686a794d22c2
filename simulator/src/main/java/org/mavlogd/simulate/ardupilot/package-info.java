/** Simulates an ArduPilot: its block buffer and repeats, with a real log. Time is an argument. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.simulate.ardupilot;
