package org.mavlogd.fetch;

/** How many bytes come in the time of a question and its answer: less than that is better sent again than asked around. Link's thread. */
final class Pace {
    /** So much of an answer tells the pace. */
    private static final long ENOUGH_BYTES = 64 * 90;

    private final RoundTrip roundTrip;
    private double bytesPerNs;
    private long beginNs;
    private long bytes;

    Pace(RoundTrip roundTrip) {
        this.roundTrip = roundTrip;
    }

    void onAsked() {
        bytes = 0;
    }

    /** Bytes of the answer, also such as were there. */
    void onBytes(long count, long nowNs) {
        if (bytes == 0) {
            beginNs = nowNs;
        }
        bytes += count;
        if (bytes >= ENOUGH_BYTES && nowNs - beginNs > 0) {
            bytesPerNs = bytes / (double) (nowNs - beginNs);
        }
    }

    /** Bytes in the time of a question and its answer. */
    long bytesPerRoundTrip() {
        return (long) (bytesPerNs * roundTrip.usualNs());
    }
}
