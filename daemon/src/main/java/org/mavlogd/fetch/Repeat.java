package org.mavlogd.fetch;

/** When a question that got no answer is asked again: each time later, up to a limit. Owned by the link's thread. */
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
}
