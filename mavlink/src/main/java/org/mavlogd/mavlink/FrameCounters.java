package org.mavlogd.mavlink;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of the decoders of a link. Shared by all decoders of one thread.
 *
 * @param frames delivered
 * @param badChecksums frames that began where one was due, and whose checksum was wrong
 * @param unknownMessages frames left out because nobody knows how to check messages of that number
 * @param refusedFlags frames left out, checksum right, because of incompatibility flags we do not know
 * @param skippedBytes bytes that belong to no frame: boot text, noise, damaged or cut frames
 * @param cutSignatures frames that lost part of their signature on the way, or all of it
 * @param cutFrames frames whose end never came
 */
public record FrameCounters(
        Counter frames,
        Counter badChecksums,
        Counter unknownMessages,
        Counter refusedFlags,
        Counter skippedBytes,
        Counter cutSignatures,
        Counter cutFrames) {
    private static final String LINK_TAG = "link";

    /** Counters that the metrics show under the link's name. */
    public static FrameCounters register(Metrics metrics, String link) {
        return new FrameCounters(
                metrics.counter("mavlink.frames", "MAVLink frames with a right checksum", LINK_TAG, link),
                metrics.counter("mavlink.bad.checksums", "MAVLink frames with a wrong checksum", LINK_TAG, link),
                metrics.counter("mavlink.unknown.messages", "MAVLink frames of unknown messages", LINK_TAG, link),
                metrics.counter(
                        "mavlink.refused.flags", "MAVLink frames with unknown incompatibility flags", LINK_TAG, link),
                metrics.counter("mavlink.skipped.bytes", "Bytes that belong to no MAVLink frame", LINK_TAG, link),
                metrics.counter("mavlink.cut.signatures", "MAVLink frames with a cut signature", LINK_TAG, link),
                metrics.counter("mavlink.cut.frames", "MAVLink frames whose end never came", LINK_TAG, link));
    }

    /** Counters that nobody shows. */
    public static FrameCounters unregistered() {
        return new FrameCounters(
                new Counter(),
                new Counter(),
                new Counter(),
                new Counter(),
                new Counter(),
                new Counter(),
                new Counter());
    }
}
