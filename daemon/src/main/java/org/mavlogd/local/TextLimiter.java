package org.mavlogd.local;

import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Limits the rate of log messages of each tag, and counts the excess: a bucket of {@link Limits#burst} tokens for each
 * tag, refilled with {@link Limits#maxPerS} a second.
 *
 * <p>Reads no clock: it uses the messages' own times, so that a backlog is limited as it would have been in time. A
 * message older than the previous one brings no tokens. Owned by one thread.
 */
public final class TextLimiter {
    /**
     * How many messages a source may publish under one tag.
     *
     * @param maxPerS on average, at least 1
     * @param burst at once after a pause, at least 1
     */
    public record Limits(int maxPerS, int burst) {
        public Limits {
            if (maxPerS < 1 || burst < 1) {
                throw new IllegalArgumentException(
                        "message limits " + maxPerS + " per s, burst " + burst + ": must be positive");
            }
        }
    }

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Is informed about dropped messages. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Messages of a tag were dropped since the last report.
         *
         * @param lastNs the latest of their times
         * @return whether it is reported now; else it comes again, with further ones
         */
        boolean onLeftOut(int tag, long count, long lastNs);
    }

    /** Tokens are counted as the time that it takes to refill them. */
    private static final class Bucket {
        private long creditNs;
        private long filledNs;
        private long leftOut;
        private long lastLeftOutNs;
    }

    private final Int2ObjectHashMap<Bucket> buckets = new Int2ObjectHashMap<>();
    private final long costNs;
    private final long capacityNs;
    private long pending;

    public TextLimiter(Limits limits) {
        this.costNs = Math.max(1, SECOND_NS / limits.maxPerS());
        this.capacityNs = costNs * limits.burst();
    }

    /** Whether a message with this time passes; else it is counted. */
    public boolean admit(int tag, long atNs) {
        Bucket bucket = bucket(tag, atNs);
        long elapsedNs = atNs - bucket.filledNs;
        if (elapsedNs > 0) {
            bucket.creditNs = Math.min(capacityNs, bucket.creditNs + Math.min(elapsedNs, capacityNs));
            bucket.filledNs = atNs;
        }
        if (bucket.creditNs < costNs) {
            leaveOut(bucket, atNs);
            return false;
        }
        bucket.creditNs -= costNs;
        return true;
    }

    /** Counts a message that was dropped for another reason. */
    public void leaveOut(int tag, long atNs) {
        leaveOut(bucket(tag, atNs), atNs);
    }

    /** Reports the dropped messages of each tag. */
    public void tell(Listener listener) {
        if (pending == 0) {
            return;
        }
        buckets.forEachInt((tag, bucket) -> {
            if (bucket.leftOut > 0 && listener.onLeftOut(tag, bucket.leftOut, bucket.lastLeftOutNs)) {
                pending -= bucket.leftOut;
                bucket.leftOut = 0;
            }
        });
    }

    private void leaveOut(Bucket bucket, long atNs) {
        if (bucket.leftOut == 0 || atNs - bucket.lastLeftOutNs > 0) {
            bucket.lastLeftOutNs = atNs;
        }
        bucket.leftOut++;
        pending++;
    }

    private Bucket bucket(int tag, long atNs) {
        Bucket bucket = buckets.get(tag);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.creditNs = capacityNs;
            bucket.filledNs = atNs;
            buckets.put(tag, bucket);
        }
        return bucket;
    }
}
