/**
 * Compares clocks: {@link org.mavlogd.time.TimeAligner} computes, from times that a vehicle reports, the microsecond
 * since its boot for any time of this computer. Pure arithmetic: no thread, and no clock of its own.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.time;
