/**
 * The setup of a recorder: finds ports, tests one, reports its problems, and writes the configuration. The caller's
 * thread waits while the port is tested on its link's thread. Nothing here arms, moves or changes a vehicle.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.setup;
