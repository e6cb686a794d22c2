package org.mavlogd.store;

/**
 * The time at which the recorder must check its files next, and what its files must know of a round. Both are determined
 * anew in each round, the time from the times at which files being written are due. Owned by the recorder's thread. Hot
 * path.
 */
public final class NextLook {
    private final StoreSettings.Durability durability;
    private boolean isWriting;
    private boolean isWaiting;
    private long dueNs;
    private boolean hasBegun;
    private long beginNs;
    private long beforeNs;
    private boolean isFlushing;
    private boolean wasFlushing;
    private boolean lags;
    private boolean lagged;

    NextLook(StoreSettings.Durability durability) {
        this.durability = durability;
    }

    /** Begins a round: no file has reported a time yet. */
    public void begin(long nowNs) {
        beforeNs = hasBegun ? beginNs : nowNs;
        beginNs = nowNs;
        hasBegun = true;
        isWriting = false;
        isWaiting = false;
        wasFlushing = isFlushing;
        isFlushing = false;
        lagged = lags;
        lags = false;
    }

    /** A feed has more data than this round takes. */
    public void onLag() {
        lags = true;
    }

    /** Whether a feed had more data than this round or the one before took. */
    public boolean isLagging() {
        return lags || lagged;
    }

    /** A file must be written and forced now. */
    void onFlush() {
        isFlushing = true;
    }

    /**
     * Whether a file had to be written and forced in this round or the one before. Others whose time comes soon join it:
     * a file system writes what several files changed at once, and other writes wait meanwhile.
     */
    boolean isFlushing() {
        return isFlushing || wasFlushing;
    }

    /** There is a file to which data may come at any time. */
    void onFile() {
        isWriting = true;
    }

    /** A file is due at this time. */
    public void at(long timeNs) {
        if (!isWaiting || timeNs - dueNs < 0) {
            dueNs = timeNs;
        }
        isWaiting = true;
    }

    /** Begin of the round before: data that it did not leave in the feeds came after it. */
    public long beforeNs() {
        return beforeNs;
    }

    /** How long the recorder may sleep after this round; 0 or less if it is late. */
    public long sleepNs(long nowNs) {
        if (isWaiting) {
            return Math.min(durability.lookNs(), dueNs - nowNs);
        }
        return isWriting ? durability.idleLookNs() : durability.longestLookNs();
    }
}
