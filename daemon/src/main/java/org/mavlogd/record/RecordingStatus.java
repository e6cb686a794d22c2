package org.mavlogd.record;

/**
 * A snapshot of one recording.
 *
 * @param feed the link it comes from
 * @param file name of the current file when it will be finished; empty while there is none
 * @param startedEpochMs wall clock at the beginning
 * @param problem what is wrong with the disk, in words; empty when nothing is
 */
public record RecordingStatus(
        String feed,
        int systemId,
        int componentId,
        String file,
        long startedEpochMs,
        long durationMs,
        Figures figures,
        String problem) {

    /**
     * The recording in numbers. Chunks are what LOGGING_DATA carries.
     *
     * @param diskLostBytes that came while the disk refused them
     * @param spaceLostBytes that came while recording paused for want of space
     * @param limitLostBytes that came while the vehicle had too many new files
     */
    public record Figures(
            long storedBytes,
            long storedMessages,
            long chunks,
            long linkLostChunks,
            long vehicleLostChunks,
            long ringLostChunks,
            long lateChunks,
            long discardedBytes,
            long diskLostBytes,
            long spaceLostBytes,
            long limitLostBytes,
            long dropouts,
            long dropoutMs) {

        /** Chunks lost, whatever the cause. */
        public long lostChunks() {
            return linkLostChunks + vehicleLostChunks + ringLostChunks;
        }
    }
}
