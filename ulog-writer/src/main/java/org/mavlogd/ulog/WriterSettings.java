package org.mavlogd.ulog;

/**
 * Settings of a {@link ULogWriter}.
 *
 * @param bufferBytes size of the buffer that gathers messages for the sink; at least {@link
 *     ULogLayout#MAX_MESSAGE_LENGTH}
 * @param syncIntervalUs interval between sync markers in microseconds of sample time; 0 for none
 */
public record WriterSettings(int bufferBytes, long syncIntervalUs, TimestampPolicy timestampPolicy) {
    /** 128 KiB; a sync marker every 500 ms, as PX4 writes them; samples that run backwards are refused. */
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
