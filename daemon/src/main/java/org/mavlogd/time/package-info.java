/**
 * How clocks stand to each other: {@link org.mavlogd.time.TimeAligner} finds out, from what a vehicle says of its clock, at
 * which of its microseconds since boot a moment of this computer lies. Pure arithmetic: no thread, no clock of its own.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.time;
