package org.mavlogd.fetch;

/**
 * How long an answer takes on this link, to know when one is late: twice the usual, and a little more. Owned by the link's
 * thread.
 */
final class RoundTrip {
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
