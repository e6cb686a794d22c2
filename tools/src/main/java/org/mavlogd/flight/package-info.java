/** The flight in a log: position, modes, battery, and its track on a map. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.flight;
