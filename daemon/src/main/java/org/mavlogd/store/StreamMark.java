package org.mavlogd.store;

/**
 * The position of a stream when its file had a certain length. Immutable.
 *
 * @param fileBytes the file's length: all bytes before are of chunks up to that one
 * @param plain the part of it that need not be read
 */
public record StreamMark(Stream stream, long fileBytes, Stretch plain) {
    /** For a file that must be read completely. */
    public StreamMark(Stream stream, long fileBytes) {
        this(stream, fileBytes, Stretch.NONE);
    }

    /**
     * A stretch of complete messages of a ULog on which no later message depends: samples, log messages, sync and
     * dropout messages.
     *
     * @param from byte in the file
     * @param to byte after it
     */
    public record Stretch(long from, long to) {
        public static final Stretch NONE = new Stretch(0, 0);

        /** Its length in bytes. */
        public long length() {
            return to - from;
        }
    }

    /**
     * The position of a stream.
     *
     * @param link the link of the vehicle
     * @param sequence of the last chunk
     * @param sequenceNs when that chunk came, monotonic
     * @param logUs the log's time at that chunk
     * @param chunksPerSecond rate of the sequence numbers; 0 if not known
     * @param usPerSecond rate of the log's time
     * @param fate what happens to the file after its run has died
     */
    public record Stream(
            String link,
            int systemId,
            int componentId,
            int sequence,
            long sequenceNs,
            long logUs,
            double chunksPerSecond,
            double usPerSecond,
            Fate fate) {
        /** With {@link Fate#CONTINUES}. */
        public Stream(
                String link,
                int systemId,
                int componentId,
                int sequence,
                long sequenceNs,
                long logUs,
                double chunksPerSecond,
                double usPerSecond) {
            this(
                    link,
                    systemId,
                    componentId,
                    sequence,
                    sequenceNs,
                    logUs,
                    chunksPerSecond,
                    usPerSecond,
                    Fate.CONTINUES);
        }
    }

    /** The fate of a file after its run has died. */
    public enum Fate {
        /** Its stream may continue in it; if not, it is finished. */
        CONTINUES,
        /** It is finished: no stream ever continues in it. */
        ENDS,
        /** Its stream may continue in it; if not, it is deleted, because other files have all its data. */
        DELETABLE
    }
}
