package org.mavlogd.store;

/**
 * The time at which the recorder must check its files next. Each round begins again, and each file being written says when it
 * is due. Owned by the recorder's thread. Hot path.
 */
public final class NextLook {
    private final StoreSettings.Durability durability;
    private boolean isWaiting;
    private long dueNs;

    NextLook(StoreSettings.Durability durability) {
        this.durability = durability;
    }

    /** A round begins: nothing is known of the files. */
    public void begin() {
        isWaiting = false;
    }

    /** Something is to be written then. */
    public void at(long timeNs) {
        if (!isWaiting || timeNs - dueNs < 0) {
            dueNs = timeNs;
        }
        isWaiting = true;
    }

    /** How long the recorder may sleep after this round; 0 or less when it is late. */
    public long sleepNs(long nowNs) {
        return isWaiting ? Math.min(durability.lookNs(), dueNs - nowNs) : durability.idleLookNs();
    }
}
