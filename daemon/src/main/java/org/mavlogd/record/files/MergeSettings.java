package org.mavlogd.record.files;

/**
 * How this computer's own topics and texts go into logs.
 *
 * @param bytesPerSecond of all local sources together at most: whatever they publish, the disk stays free for vehicles
 * @param prefix before the name of a local topic that means something else in the vehicle's log
 * @param newTopics what becomes of a topic that a file's definitions do not have
 */
public record MergeSettings(long bytesPerSecond, String prefix, NewTopics newTopics) {
    /** What becomes of a topic that appears after the definitions of a file are through. */
    public enum NewTopics {
        /** It is in the next file. */
        NEXT_FILE,
        /** A new file begins soon. */
        NEW_FILE
    }

    /** As without any configuration. */
    public static final MergeSettings DEFAULT = new MergeSettings(4096 << 10, "companion_", NewTopics.NEW_FILE);

    public MergeSettings {
        if (bytesPerSecond <= 0) {
            throw new IllegalArgumentException(bytesPerSecond + " bytes per second");
        }
    }
}
