/**
 * What can go wrong in the field, done on purpose: each {@link org.mavlogd.faults.Fault} says what must hold and checks it.
 * The tests beside them run the short form, {@code scripts/soak} the long one; docs/reliability.md has the figures.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.faults;
