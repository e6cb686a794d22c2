/** Positions, satellites and attitudes that gpsd reports in JSON over TCP. Bytes of a link come in, on its thread. */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.gpsd;
