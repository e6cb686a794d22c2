package org.mavlogd.record;

/** One instance of a local topic in a log: its multi id, and in the present file its message id. Owned by the recorder's thread. */
final class LocalSeries {
    static final int NO_ID = -1;

    private final int multiId;
    private int messageId = NO_ID;
    private long lastUs;
    private boolean taken;

    LocalSeries(int multiId) {
        this.multiId = multiId;
    }

    int multiId() {
        return multiId;
    }

    /** {@link #NO_ID} while it is not subscribed in the present file. */
    int messageId() {
        return messageId;
    }

    void messageId(int id) {
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
    long next(long timeUs) {
        lastUs = Math.max(lastUs, timeUs);
        return lastUs;
    }
}
