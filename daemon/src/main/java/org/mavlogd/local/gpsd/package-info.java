/**
 * Positions, satellites and attitudes that gpsd reports in JSON over TCP. The link's thread reads and publishes them.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.gpsd;
