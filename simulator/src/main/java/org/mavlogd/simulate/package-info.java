/**
 * Simulates vehicles with real logs, for the demo, for tests and for trying a set-up without a vehicle.
 *
 * <p>Inputs are a log and the frames of the recorder; outputs are MAVLink frames as the vehicle would send them. The
 * vehicles are state machines without sockets, threads or clocks; {@link org.mavlogd.simulate.run.VehicleRunner}
 * connects one to a real link. Each vehicle belongs to the one thread that calls it.
 */
package org.mavlogd.simulate;
