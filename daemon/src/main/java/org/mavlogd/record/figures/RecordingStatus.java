package org.mavlogd.record.figures;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogKind;

/**
 * A snapshot of one recording.
 *
 * @param source the vehicle and its link
 * @param written the current file
 * @param startedEpochMs UTC time of the start; by this computer's clock as long as no clock can be trusted
 * @param lacksMemory whether some of it was lost because the memory budget was exhausted
 */
public record RecordingStatus(
        Source source, Written written, long startedEpochMs, long durationMs, Figures figures, boolean lacksMemory) {
    /**
     * The origin of a recording.
     *
     * @param feed the link of the vehicle
     */
    public record Source(String feed, int systemId, int componentId) {}

    /**
     * The current file of a recording.
     *
     * @param kind of the files; a log may be recorded in several kinds, each with its own snapshot
     * @param name final name of the current file, as far as its time is known now; empty if there is none
     * @param growingName name on the disk until then, which may have another time; empty if there is none
     * @param part number of the file in the log, from 1; 0 before the first
     * @param unforcedMs age of the oldest byte that is not known to be on disk; 0 if all are
     * @param longestUnforcedMs the longest time that a byte of the file waited to be on disk
     * @param problem with the disk, for people; empty if there is none
     */
    public record Written(
            LogKind kind,
            String name,
            String growingName,
            int part,
            long unforcedMs,
            long longestUnforcedMs,
            String problem) {
        /** The snapshot of that file; null if there is none. */
        public static Written of(LogKind kind, @Nullable LogFile file, int part, String problem, long nowNs) {
            return file == null
                    ? new Written(kind, "", "", part, 0, 0, problem)
                    : new Written(
                            kind,
                            file.name(),
                            file.unfinishedName(),
                            part,
                            TimeUnit.NANOSECONDS.toMillis(file.unforcedNs(nowNs)),
                            TimeUnit.NANOSECONDS.toMillis(file.longestUnforcedNs(nowNs)),
                            problem);
        }
    }

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

    /** See {@link Written#longestUnforcedMs}. */
    public long longestUnforcedMs() {
        return written.longestUnforcedMs();
    }

    /** See {@link Written#problem}. */
    public String problem() {
        return written.problem();
    }

    /**
     * The recording in numbers. Chunks are those of LOGGING_DATA, or blocks. If a ULog is written besides a
     * {@code .bin}, chunks are counted in the {@code .bin} only.
     *
     * @param storedBytes of all files of the log, also what an earlier run wrote to the file that this run continued;
     *     everything else is counted by this run only
     * @param diskLostBytes lost because the disk failed
     * @param spaceLostBytes lost while recording paused for lack of space
     * @param limitLostBytes lost because the vehicle had too many new files
     * @param localBytes this computer's share of storedBytes, since this run began
     * @param droppedMessages messages that an ArduPilot dropped, by its DMS records
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

        /** Figures of a telemetry log, which has no chunks. */
        public static Figures ofFrames(long storedBytes, long frames) {
            return new Figures(storedBytes, frames, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }

        /** A copy with other numbers of received and lost chunks. */
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

        /** The stored bytes of the vehicle's log. */
        public long vehicleBytes() {
            return storedBytes - localBytes;
        }

        /** All lost chunks. */
        public long lostChunks() {
            return linkLostChunks + vehicleLostChunks + ringLostChunks + restartLostChunks;
        }
    }
}
