package org.mavlogd.local.heard;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * What is counted of one link's messages. Written by the link's thread.
 *
 * @param samples messages published as samples of topics
 * @param lost samples for which the ring had no room
 * @param limited messages above their rates
 * @param excluded messages that are not to be recorded
 * @param refused topics and senders for which there was no room
 * @param repeatedTexts texts of an autopilot that says the same in its log, and repeated pieces
 * @param missingPieces of long texts
 */
record HeardCounters(
        Counter samples,
        Counter lost,
        Counter limited,
        Counter excluded,
        Counter refused,
        Counter repeatedTexts,
        Counter missingPieces) {
    static HeardCounters register(Metrics metrics, String link) {
        String source = "link." + link;
        return new HeardCounters(
                metrics.counter("local.samples", "Samples published by this computer", "source", source),
                metrics.counter(
                        "local.lost.samples", "Samples lost because the source's ring was full", "source", source),
                metrics.counter("messages.limited", "MAVLink messages above their rate limit", "link", link),
                metrics.counter("messages.excluded", "MAVLink messages that are not to be recorded", "link", link),
                metrics.counter(
                        "messages.refused", "Topics and senders of messages that there was no room for", "link", link),
                metrics.counter(
                        "messages.texts.repeated",
                        "STATUSTEXT that is in the vehicle's log, or came twice",
                        "link",
                        link),
                metrics.counter(
                        "messages.texts.missing.pieces", "Pieces of long STATUSTEXT that never came", "link", link));
    }
}
