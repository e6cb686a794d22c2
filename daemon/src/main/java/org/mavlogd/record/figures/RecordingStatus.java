package org.mavlogd.record.figures;

import org.mavlogd.store.LogKind;

/**
 * A snapshot of one recording.
 *
 * @param source where it comes from
 * @param written the file in which it is now
 * @param startedEpochMs UTC time of the beginning; what this computer's clock said while no clock is to be believed
 * @param lacksMemory whether the memory budget had no room for something of it
 */
public record RecordingStatus(
        Source source, Written written, long startedEpochMs, long durationMs, Figures figures, boolean lacksMemory) {
    /**
     * What is recorded.
     *
     * @param feed the link it comes from
     */
    public record Source(String feed, int systemId, int componentId) {}

    /**
     * The file of a recording.
     *
     * @param kind of the recording's files; a log may be recorded in several, each with a snapshot of its own
     * @param name of the current file when it will be finished, as far as its time is known now; empty while there is none
     * @param growingName that it has on the disk until then: the time in it may be another one; empty while there is none
     * @param part which file of the log it is, from 1; 0 before the first
     * @param unforcedMs age of the oldest byte that is not known to be on disk; 0 when all are
     * @param problem what is wrong with the disk, in words; empty when nothing is
     */
    public record Written(LogKind kind, String name, String growingName, int part, long unforcedMs, String problem) {}

    /** See {@link Source#feed}. */
    public String feed() {
        return source.feed();
    }

    public int systemId() {
        return source.systemId();
    }

    public int componentId() {
        return source.componentId();
    }

    public LogKind kind() {
        return written.kind();
    }

    /** See {@link Written#name}. */
    public String file() {
        return written.name();
    }

    /** See {@link Written#growingName}. */
    public String growingFile() {
        return written.growingName();
    }

    /** See {@link Written#part}. */
    public int part() {
        return written.part();
    }

    /** See {@link Written#unforcedMs}. */
    public long unforcedMs() {
        return written.unforcedMs();
    }

    /** See {@link Written#problem}. */
    public String problem() {
        return written.problem();
    }

    /**
     * The recording in numbers. Chunks are what LOGGING_DATA carries, or blocks; those of a ULog that is made beside a
     * {@code .bin} stand there.
     *
     * @param diskLostBytes that came while the disk refused them
     * @param spaceLostBytes that came while recording paused for lack of space
     * @param limitLostBytes that came while the vehicle had too many new files
     * @param localBytes of storedBytes: this computer's own
     * @param droppedMessages that an ArduPilot dropped itself, as its DMS records say
     */
    public record Figures(
            long storedBytes,
            long storedMessages,
            long chunks,
            long linkLostChunks,
            long vehicleLostChunks,
            long ringLostChunks,
            long restartLostChunks,
            long lateChunks,
            long discardedBytes,
            long diskLostBytes,
            long spaceLostBytes,
            long limitLostBytes,
            long dropouts,
            long dropoutMs,
            long localBytes,
            long droppedMessages) {

        /** Of a telemetry log: it has no chunks. */
        public static Figures ofFrames(long storedBytes, long frames) {
            return new Figures(storedBytes, frames, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }

        /** The same with other numbers of chunks that came, and that the link lost. */
        public Figures withChunks(long came, long lost) {
            return new Figures(
                    storedBytes,
                    storedMessages,
                    came,
                    lost,
                    vehicleLostChunks,
                    ringLostChunks,
                    restartLostChunks,
                    lateChunks,
                    discardedBytes,
                    diskLostBytes,
                    spaceLostBytes,
                    limitLostBytes,
                    dropouts,
                    dropoutMs,
                    localBytes,
                    droppedMessages);
        }

        /** What the vehicle's log brought. */
        public long vehicleBytes() {
            return storedBytes - localBytes;
        }

        /** Chunks lost, whatever the cause. */
        public long lostChunks() {
            return linkLostChunks + vehicleLostChunks + ringLostChunks + restartLostChunks;
        }
    }
}
