/**
 * One budget of bytes for everything that others can make this process keep in memory. Whoever keeps something for a
 * vehicle, a publisher, an HTTP client or an unfinished log asks here first. Any thread; nobody waits.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.memory;
