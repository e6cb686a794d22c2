/**
 * A budget of bytes for all data that others can make this process keep in memory. Code that keeps data for a vehicle,
 * a publisher, an HTTP client or an unfinished log requests it here first. Any thread; no call waits.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.memory;
