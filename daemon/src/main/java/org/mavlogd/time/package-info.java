/**
 * The comparison of clocks: {@link org.mavlogd.time.TimeAligner} finds, from times that a vehicle reports, the
 * microsecond since its boot that corresponds to a moment of this computer. Pure arithmetic: no thread, no clock of its
 * own.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.time;
