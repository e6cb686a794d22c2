/** Analyses the flight in a log: position, modes, batteries, and its track on a map. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.flight;
