/** A simulated ArduPilot: its block buffer and resends, its log made of a real one. Time is an argument. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.simulate.ardupilot;
