package org.mavlogd.vehicle;

import org.mavlogd.time.ClockState;

/** Is told how vehicles' clocks stand to this computer's. Called by the link's thread. */
@FunctionalInterface
public interface ClockListener {
    /** Nobody. */
    ClockListener NONE = (systemId, componentId, clock, nowNs) -> {};

    /** Called about once a second for each vehicle whose clock is known. */
    void onClock(int systemId, int componentId, ClockState clock, long nowNs);
}
