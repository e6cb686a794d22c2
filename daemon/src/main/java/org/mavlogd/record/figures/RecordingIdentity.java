package org.mavlogd.record.figures;

import java.util.concurrent.TimeUnit;
import org.mavlogd.store.LogName;
import org.mavlogd.store.StreamMark;

/**
 * Identifies a recording.
 *
 * @param feed the link of its vehicle
 * @param session number of the session in that feed
 * @param log the common part of its files' names, known from the first file on
 */
public record RecordingIdentity(
        String feed,
        int session,
        int systemId,
        int componentId,
        long startedNs,
        long startedEpochMs,
        LogName.LogNumber log) {
    private static final int SEQUENCES = 0xFFFF;

    public RecordingIdentity(
            String feed, int session, int systemId, int componentId, long startedNs, long startedEpochMs) {
        this(feed, session, systemId, componentId, startedNs, startedEpochMs, new LogName.LogNumber());
    }

    /**
     * A snapshot of this recording.
     *
     * @param utcMs UTC time of its start, as far as known now
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
                utcMs,
                TimeUnit.NANOSECONDS.toMillis(nowNs - startedNs),
                figures,
                lacksMemory);
    }

    /** The progress of a log of blocks, for a later run. */
    public StreamMark.Stream blockMark(long number, long arrivalNs, long youngestUs, StreamMark.Fate fate) {
        int sequence = (int) number & SEQUENCES;
        return new StreamMark.Stream(feed, systemId, componentId, sequence, arrivalNs, youngestUs, 0, 0, fate);
    }
}
