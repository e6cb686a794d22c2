package org.mavlogd.mavlink;

import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Counters of a link's frame decoders. Shared by all decoders of one thread.
 *
 * @param frames delivered frames
 * @param badChecksums frames with a wrong checksum at a place where a frame was due
 * @param unknownMessages frames ignored because the message is unknown and cannot be checked
 * @param refusedFlags frames ignored, with a valid checksum, because of unknown incompatibility flags
 * @param skippedBytes bytes outside frames: boot messages, noise, damaged or truncated frames
 * @param cutSignatures frames with a truncated or missing signature
 * @param cutFrames frames whose end never arrived
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

    /** Registers the counters as metrics with the name of the link. */
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

    /** Counters that are not registered as metrics. */
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
