/**
 * Instruments with NMEA 0183: position, course, heading, depth, wind, water. The link's thread reads the sentences, and
 * publishes samples of one topic for each kind of sentence.
 */
@org.jspecify.annotations.NullMarked
package org.mavlogd.local.nmea;
