/**
 * Instruments with NMEA 0183: position, course, heading, depth, wind, water. Input are the bytes of a link, on its
 * thread, output are samples of one topic for each kind of sentence.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.nmea;
