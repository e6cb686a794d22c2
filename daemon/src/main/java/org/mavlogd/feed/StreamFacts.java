package org.mavlogd.feed;

import java.util.List;

/**
 * What is known of a log stream that an earlier run recorded: enough to tell whether a stream that runs now is the same.
 *
 * @param headerLow first half of the log's 16-byte file header
 * @param headerHigh second half of it: when the log began
 * @param sequence of the last chunk that is known to be stored
 * @param sequenceNs when that chunk came, on this run's monotonic clock
 * @param chunksPerSecond how fast numbers went on lately; 0 when that is not known
 * @param logUs the log's time at that chunk, in the vehicle's microseconds
 * @param usPerSecond how fast the log's time went on lately: a million for a real vehicle
 * @param lastLogUs the youngest time in the file
 * @param unnotedChunks about how many chunks more the file has; negative when it has lost some
 * @param missing numbers before {@code sequence} whose places in the file are kept, and that may still come; ascending
 * @param topics which messages the log has
 */
public record StreamFacts(
        int systemId,
        int componentId,
        long headerLow,
        long headerHigh,
        int sequence,
        long sequenceNs,
        double chunksPerSecond,
        long logUs,
        double usPerSecond,
        long lastLogUs,
        long unnotedChunks,
        List<Long> missing,
        KnownTopics topics) {}
