package org.mavlogd.record.figures;

import java.util.concurrent.TimeUnit;
import org.mavlogd.record.order.StreamPace;
import org.mavlogd.store.LogName;
import org.mavlogd.store.StreamMark;

/**
 * Identifies a recording.
 *
 * @param feed the link of its vehicle
 * @param session number of the session in that feed
 * @param startedNs when this run began to record it, or a PX4's log began
 * @param earlierNs how long an earlier run recorded it before {@code startedNs}
 * @param log the common part of its files' names, known from the first file on
 */
public record RecordingIdentity(
        String feed,
        int session,
        int systemId,
        int componentId,
        long startedNs,
        long startedEpochMs,
        long earlierNs,
        LogName.LogNumber log) {
    private static final int SEQUENCES = 0xFFFF;

    public RecordingIdentity(
            String feed, int session, int systemId, int componentId, long startedNs, long startedEpochMs) {
        this(feed, session, systemId, componentId, startedNs, startedEpochMs, 0, new LogName.LogNumber());
    }

    /** The same log, which an earlier run began that long before. */
    public RecordingIdentity begunEarlier(long durationNs) {
        return new RecordingIdentity(feed, session, systemId, componentId, startedNs, startedEpochMs, durationNs, log);
    }

    /**
     * A snapshot of this recording.
     *
     * @param utcMs UTC time of {@code startedNs}, as far as known now
     */
    public RecordingStatus status(
            RecordingStatus.Written written,
            long utcMs,
            RecordingStatus.Figures figures,
            boolean lacksMemory,
            long nowNs) {
        return new RecordingStatus(
                new RecordingStatus.Source(feed, systemId, componentId),
                written,
                utcMs - TimeUnit.NANOSECONDS.toMillis(earlierNs),
                TimeUnit.NANOSECONDS.toMillis(nowNs - startedNs + earlierNs),
                figures,
                lacksMemory);
    }

    /** The progress of a PX4's log, for a later run. */
    public StreamMark.Stream chunkMark(int sequence, long arrivalNs, long youngestUs, StreamPace pace) {
        return new StreamMark.Stream(
                feed,
                systemId,
                componentId,
                sequence,
                arrivalNs,
                youngestUs,
                pace.chunksPerSecond(),
                pace.usPerSecond());
    }

    /** The progress of a log of blocks, for a later run. */
    public StreamMark.Stream blockMark(long number, long arrivalNs, long youngestUs, StreamMark.Fate fate) {
        int sequence = (int) number & SEQUENCES;
        return new StreamMark.Stream(feed, systemId, componentId, sequence, arrivalNs, youngestUs, 0, 0, fate);
    }
}
