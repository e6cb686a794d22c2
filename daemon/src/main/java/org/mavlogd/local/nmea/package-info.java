/**
 * Instruments that speak NMEA 0183: position, course, heading, depth, wind, water. Bytes of a link come in, on its thread;
 * samples of one topic for each kind of sentence go out.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.nmea;
