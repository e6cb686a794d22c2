package org.mavlogd.store;

/**
 * The time at which the recorder must check its files next. It is determined anew in each round, from the times at
 * which files being written are due. Owned by the recorder's thread. Hot path.
 */
public final class NextLook {
    private final StoreSettings.Durability durability;
    private boolean isWriting;
    private boolean isWaiting;
    private long dueNs;
    private boolean hasBegun;
    private long beginNs;
    private long beforeNs;

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
