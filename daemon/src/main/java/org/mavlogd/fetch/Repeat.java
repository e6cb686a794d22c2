package org.mavlogd.fetch;

/** Decides when an unanswered request is repeated: each time later, up to a limit. Owned by the link's thread. */
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

    /** Asked for something new: never before, or after progress. */
    void reset() {
        tries = 0;
        waitNs = firstNs;
    }

    /** It is asked now. */
    void onAsked(long nowNs) {
        waitNs = tries == 0 ? firstNs : Math.min(longestNs, waitNs * 3 / 2);
        askedNs = nowNs;
        tries++;
    }

    /** Something of the answer came: the rest may take as long again. */
    void onAnswer(long nowNs) {
        askedNs = nowNs;
    }

    boolean isDue(long nowNs) {
        return tries == 0 || nowNs - askedNs >= waitNs;
    }

    /** How often it was asked without an answer. */
    int tries() {
        return tries;
    }

    /**
     * How long an answer takes on this link, to know when one is late: twice the usual, and a little more. Owned by the link's
     * thread.
     */
    static final class RoundTrip {
        private static final long NS_PER_MS = 1_000_000;
        private static final long LEAST_MS = 60;
        private static final long MOST_MS = 1500;
        /** What the ticks of both sides add. */
        private static final long MARGIN_MS = 40;

        private long usualNs = 250 * NS_PER_MS;
        private long askedNs;
        private boolean isAsked;

        /** Something is asked for the first time. */
        void onAsked(long nowNs) {
            askedNs = nowNs;
            isAsked = true;
        }

        /** It is asked again: whose answer comes then is not known. */
        void onRepeated() {
            isAsked = false;
        }

        /** The first of the answer. */
        void onAnswer(long nowNs) {
            if (isAsked) {
                isAsked = false;
                // As TCP does: an eighth of what is new.
                usualNs += (nowNs - askedNs - usualNs) / 8;
            }
        }

        /** What usually passes between a question and its answer. */
        long usualNs() {
            return usualNs;
        }

        long waitMs() {
            return Math.max(LEAST_MS, Math.min(MOST_MS, 2 * usualNs / NS_PER_MS + MARGIN_MS));
        }
    }
}
