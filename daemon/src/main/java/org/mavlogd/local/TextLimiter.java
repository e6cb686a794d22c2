package org.mavlogd.local;

import java.util.concurrent.TimeUnit;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Limits the rate of messages of each tag, and counts those above it: a bucket of {@link Limits#burst} tokens for each
 * tag, filled with {@link Limits#maxPerS} a second.
 *
 * <p>Reads no clock: it uses the messages' own times, so that a backlog is limited as it would have been at its time. A text
 * older than the one before it brings no tokens. Owned by one thread.
 */
public final class TextLimiter {
    /**
     * How many messages one source may publish under one tag.
     *
     * @param maxPerS in the long run, at least 1
     * @param burst at once after a quiet time, at least 1
     */
    public record Limits(int maxPerS, int burst) {
        public Limits {
            if (maxPerS < 1 || burst < 1) {
                throw new IllegalArgumentException("limits of texts: " + maxPerS + " a second, " + burst + " at once");
            }
        }
    }

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Hears what was left out. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Messages of a tag that did not pass since the last report.
         *
         * @param lastNs the latest of their times
         * @return whether it is reported now; else it comes again, with what is added meanwhile
         */
        boolean onLeftOut(int tag, long count, long lastNs);
    }

    /** Tokens are counted in the time that they take to fall. */
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

    /** Whether a text may pass that is of this time; else it is counted. */
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

    /** Counts a text that had to be left out for another reason. */
    public void leaveOut(int tag, long atNs) {
        leaveOut(bucket(tag, atNs), atNs);
    }

    /** Reports for each tag what was left out. */
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
