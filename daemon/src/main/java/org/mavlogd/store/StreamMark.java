package org.mavlogd.store;

/**
 * The position of a stream when its file had a certain length. Immutable.
 *
 * @param fileBytes the file's length: everything before is of chunks up to that one
 * @param plain what of it need not be looked through
 */
public record StreamMark(Stream stream, long fileBytes, Stretch plain) {
    /** Of a file that is to be looked through completely. */
    public StreamMark(Stream stream, long fileBytes) {
        this(stream, fileBytes, Stretch.NONE);
    }

    /**
     * Complete messages of a ULog in which nothing stands that those behind it need: samples, messages, sync and dropout messages.
     *
     * @param from byte in the file
     * @param to byte behind it
     */
    public record Stretch(long from, long to) {
        public static final Stretch NONE = new Stretch(0, 0);

        /** How much there is. */
        public long length() {
            return to - from;
        }
    }

    /**
     * The stream.
     *
     * @param link the link it comes from
     * @param sequence of the last chunk
     * @param sequenceNs when that chunk came, monotonic
     * @param logUs the log's time at that chunk
     * @param chunksPerSecond how fast numbers continue; 0 when that is not known
     * @param usPerSecond how fast the log's time continues
     * @param fate what becomes of the file when its run is dead
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
        /** One that may continue. */
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

    /** What becomes of a file when its run is dead. */
    public enum Fate {
        /** Its stream may continue in it; if not it is finished. */
        CONTINUES,
        /** It is finished: no stream ever continues in it. */
        ENDS,
        /** Its stream may continue in it; if not it is deleted, for everything in it is elsewhere. */
        DELETABLE
    }
}
