package org.mavlogd.fetch;

import org.mavlogd.mavlink.FrameView;

/** Asks the vehicle for one thing until it is there. Time is an argument. Owned by the link's thread. */
interface Exchange {
    /** A frame of the vehicle. */
    void onFrame(FrameView frame, long nowNs);

    /** Asks when something is due. */
    void onTick(long nowNs);

    /** How it stands; the same object all the time. */
    ExchangeStatus status();

    /** The vehicle's clock began anew. */
    void onReboot(long nowNs);

    /** Nobody wants it any more: what the vehicle would go on with is stopped. */
    void abandon();
}
