package org.mavlogd.fetch;

/**
 * Decides when an unanswered request is repeated, at increasing intervals up to a limit. Owned by the link's thread.
 */
final class Repeat {
    private static final long NS_PER_MS = 1_000_000;

    private final long firstNs;
    private final long longestNs;
    private long waitNs;
    private long askedNs;
    private int tries;

    /** @param firstMs how long the first answer may take */
    Repeat(long firstMs, long longestMs) {
        this.firstNs = firstMs * NS_PER_MS;
        this.longestNs = longestMs * NS_PER_MS;
        this.waitNs = firstNs;
    }

    /** Starts over for a new request, or after progress. */
    void reset() {
        tries = 0;
        waitNs = firstNs;
    }

    /** Notes that the request was sent. */
    void onAsked(long nowNs) {
        waitNs = tries == 0 ? firstNs : Math.min(longestNs, waitNs * 3 / 2);
        askedNs = nowNs;
        tries++;
    }

    /** A part of the answer came: the rest may take as long again. */
    void onAnswer(long nowNs) {
        askedNs = nowNs;
    }

    boolean isDue(long nowNs) {
        return tries == 0 || nowNs - askedNs >= waitNs;
    }

    /** How often the request was sent without an answer. */
    int tries() {
        return tries;
    }

    /**
     * Estimates how long an answer takes on this link: one is late after twice the usual time and a margin. Owned by
     * the link's thread.
     */
    static final class RoundTrip {
        private static final long NS_PER_MS = 1_000_000;
        private static final long LEAST_MS = 60;
        private static final long MOST_MS = 1500;
        /** Delay by the ticks of both sides. */
        private static final long MARGIN_MS = 40;

        private long usualNs = 250 * NS_PER_MS;
        private long askedNs;
        private boolean isAsked;

        /** A request is sent for the first time. */
        void onAsked(long nowNs) {
            askedNs = nowNs;
            isAsked = true;
        }

        /** A request is repeated: the next answer may belong to either. */
        void onRepeated() {
            isAsked = false;
        }

        /** The first part of the answer came. */
        void onAnswer(long nowNs) {
            if (isAsked) {
                isAsked = false;
                // A moving average with weight one eighth, as in TCP.
                usualNs += (nowNs - askedNs - usualNs) / 8;
            }
        }

        /** The usual time between a request and its answer. */
        long usualNs() {
            return usualNs;
        }

        long waitMs() {
            return Math.max(LEAST_MS, Math.min(MOST_MS, 2 * usualNs / NS_PER_MS + MARGIN_MS));
        }
    }
}
