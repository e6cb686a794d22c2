/**
 * Failures that occur in the field, caused deliberately: each {@link org.mavlogd.faults.Fault} states what must hold
 * and checks it. The tests beside them run the short form, {@code scripts/soak} the long form; docs/reliability.md has
 * the figures.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.faults;
