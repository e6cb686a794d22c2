package org.mavlogd.record;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once when a vehicle itself drops much of its log, and what to do about it. Owned by the recorder's thread. */
final class RateAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(RateAdvice.class);
    private static final long ADVICE_CHUNKS = 50;
    private static final long ADVICE_SHARE = 100;

    private final String name;
    private final Tally tally;
    private boolean given;

    /** @param name of the vehicle, for people */
    RateAdvice(String name, Tally tally) {
        this.name = name;
        this.tally = tally;
    }

    /** Something was lost. */
    void consider() {
        if (given
                || tally.vehicleLostChunks() < ADVICE_CHUNKS
                || tally.vehicleLostChunks() * ADVICE_SHARE < tally.chunks()) {
            return;
        }
        given = true;
        RecordingStatus.Figures figures = tally.figures();
        LOG.warn(
                "{}: the vehicle itself drops log data ({} of {} chunks so far; the link is sound):"
                        + " raise MAV_x_RATE of this port, on a 921600 baud link to 92160",
                name,
                figures.vehicleLostChunks(),
                figures.chunks() + figures.lostChunks());
    }
}
