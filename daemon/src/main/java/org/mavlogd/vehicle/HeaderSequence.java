package org.mavlogd.vehicle;

/**
 * Estimates how many MAVLink frames of one sender are missing, from the 8-bit sequence in the frame headers. It is not
 * exact: senders swap frames now and then, and more than 127 missing at once look like fewer. Hot path.
 */
final class HeaderSequence {
    private static final int RANGE = 256;

    private boolean started;
    private int expected;
    private int missing;

    void onFrame(int sequence) {
        int ahead = (sequence - expected) & (RANGE - 1);
        if (!started) {
            started = true;
        } else if (ahead < RANGE / 2) {
            missing += ahead;
        } else {
            missing--; // a late one, counted as missing before
            return;
        }
        expected = (sequence + 1) & (RANGE - 1);
    }

    /** Frames missing so far; only differences mean something. */
    int missing() {
        return missing;
    }
}
