/**
 * How much memory others can make this program use: one budget of bytes for the whole process. Whoever keeps something for a
 * vehicle, a publisher, an HTTP client or an unfinished log asks here first. Any thread; nobody waits.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.memory;
