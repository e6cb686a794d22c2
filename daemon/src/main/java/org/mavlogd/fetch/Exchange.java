package org.mavlogd.fetch;

import org.mavlogd.mavlink.FrameView;

/** Asks the vehicle for one thing until it is there. Time is an argument. Owned by the link's thread. */
interface Exchange {
    /** How it stands. */
    enum Outcome {
        RUNNING,
        DONE,
        /** The vehicle gave an answer that ends it, see {@link #problem}. */
        FAILED,
        /** The vehicle never answered: another way may do. */
        UNANSWERED
    }

    /** A frame of the vehicle. */
    void onFrame(FrameView frame, long nowNs);

    /** Asks when something is due. */
    void onTick(long nowNs);

    Outcome outcome();

    /** What went wrong; empty while nothing did. */
    String problem();

    /** When something last came of it. */
    long progressNs();

    /** The vehicle's clock began anew. */
    void onReboot(long nowNs);

    /** Nobody wants it any more: what the vehicle would go on with is stopped. */
    void abandon();
}
