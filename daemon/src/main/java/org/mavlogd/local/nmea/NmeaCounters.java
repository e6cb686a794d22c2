package org.mavlogd.local.nmea;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of one link's sentences. Written by the link's thread.
 *
 * @param sentences complete ones with a good checksum, or without one if that is allowed
 * @param badChecksum with a wrong checksum, or without a required one
 * @param malformed incomplete or too long ones, and those with invalid fields
 * @param unknown good ones of other kinds, kept as text
 * @param excess good ones of more devices than there are instances
 * @param skippedBytes between sentences, without line ends
 */
record NmeaCounters(
        Counter sentences,
        Counter badChecksum,
        Counter malformed,
        Counter unknown,
        Counter excess,
        Counter skippedBytes) {

    static NmeaCounters register(Metrics metrics, String link) {
        return new NmeaCounters(
                metrics.counter("nmea.sentences", "NMEA 0183 sentences taken", "link", link),
                metrics.counter("nmea.bad.checksum", "Sentences with a wrong or missing checksum", "link", link),
                metrics.counter("nmea.malformed", "Sentences cut, too long, or with impossible fields", "link", link),
                metrics.counter("nmea.unknown", "Sentences of other kinds, kept as text", "link", link),
                metrics.counter("nmea.excess", "Sentences of more devices than can be distinguished", "link", link),
                metrics.counter("nmea.skipped.bytes", "Bytes outside of sentences", "link", link));
    }
}
