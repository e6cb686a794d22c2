package org.mavlogd.ulog;

/**
 * Settings of a {@link ULogWriter}.
 *
 * @param bufferBytes gathered before the sink is called; at least {@link ULogLayout#MAX_MESSAGE_LENGTH}
 * @param syncIntervalUs a sync marker is written once samples have advanced by this time, in microseconds; 0 for none
 */
public record WriterSettings(int bufferBytes, long syncIntervalUs, TimestampPolicy timestampPolicy) {
    /** 128 KiB, a marker every 500 ms as PX4 does, samples must not run backwards. */
    public static final WriterSettings DEFAULT = new WriterSettings(128 * 1024, 500_000, TimestampPolicy.REFUSE);

    public WriterSettings {
        if (bufferBytes < ULogLayout.MAX_MESSAGE_LENGTH) {
            throw new IllegalArgumentException(
                    "bufferBytes " + bufferBytes + " is less than one message, " + ULogLayout.MAX_MESSAGE_LENGTH);
        }
        if (syncIntervalUs < 0) {
            throw new IllegalArgumentException("syncIntervalUs " + syncIntervalUs + " is negative");
        }
    }
}
