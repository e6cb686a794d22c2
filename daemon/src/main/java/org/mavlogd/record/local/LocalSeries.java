package org.mavlogd.record.local;

/** One instance of a local topic in a log: its multi id, and in the present file its message id. Owned by the recorder's thread. */
public final class LocalSeries {
    public static final int NO_ID = -1;

    private final int multiId;
    private int messageId = NO_ID;
    private long lastUs;
    private boolean taken;

    LocalSeries(int multiId) {
        this.multiId = multiId;
    }

    public int multiId() {
        return multiId;
    }

    /** {@link #NO_ID} while it is not subscribed in the present file. */
    public int messageId() {
        return messageId;
    }

    public void messageId(int id) {
        messageId = id;
    }

    /** Whether somebody has this instance: a source of ours, or the vehicle. */
    boolean isTaken() {
        return taken;
    }

    void take() {
        taken = true;
    }

    /** From here on times are not before this one. */
    void notBefore(long timeUs) {
        lastUs = Math.max(lastUs, timeUs);
    }

    /** The time to be written for a sample of this time: times of a series never run backwards. */
    public long next(long timeUs) {
        lastUs = Math.max(lastUs, timeUs);
        return lastUs;
    }
}
