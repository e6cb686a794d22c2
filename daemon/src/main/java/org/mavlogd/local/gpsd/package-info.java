/**
 * Positions, satellites and attitudes that gpsd reports in JSON over TCP. Input are the bytes of a link, on its thread.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.gpsd;
