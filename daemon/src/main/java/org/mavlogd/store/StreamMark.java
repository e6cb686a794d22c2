package org.mavlogd.store;

/**
 * How far a stream had come when its file had a certain length. Immutable.
 *
 * @param fileBytes the file's length: everything before is of chunks up to that one
 */
public record StreamMark(Stream stream, long fileBytes) {
    /**
     * The stream.
     *
     * @param link the link it comes from
     * @param sequence of the last chunk
     * @param sequenceNs when that chunk came, monotonic
     * @param logUs the log's time at that chunk
     * @param chunksPerSecond how fast numbers go on; 0 when that is not known
     * @param usPerSecond how fast the log's time goes on
     */
    public record Stream(
            String link,
            int systemId,
            int componentId,
            int sequence,
            long sequenceNs,
            long logUs,
            double chunksPerSecond,
            double usPerSecond) {}
}
