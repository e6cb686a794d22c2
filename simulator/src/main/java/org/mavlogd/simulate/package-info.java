/**
 * Vehicles made of real logs, for the demo, for tests and for trying out a set-up without a vehicle.
 *
 * <p>In: a {@code .ulg} file and the frames of whoever records. Out: MAVLink frames as the vehicle would send them. The
 * vehicles are state machines without sockets, threads or clocks; {@link org.mavlogd.simulate.run.VehicleRunner} puts one
 * behind a real link. Each vehicle belongs to the one thread that calls it.
 */
package org.mavlogd.simulate;
