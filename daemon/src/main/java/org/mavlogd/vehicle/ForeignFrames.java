package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.metrics.Counter;
import org.mavlogd.peer.Peer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frames in a vehicle's name that did not come from where it is: counted, and told now and then. Owned by the link's
 * thread.
 */
final class ForeignFrames {
    private static final Logger LOG = LoggerFactory.getLogger(Vehicle.class);
    private static final long TELL_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);

    private final String vehicle;
    private final Counter all;
    private long count;
    private long toldNs;

    /** @param vehicle what it is called in messages */
    ForeignFrames(String vehicle, Counter all) {
        this.vehicle = vehicle;
        this.all = all;
    }

    long count() {
        return count;
    }

    void add(Peer from, Peer holder, long nowNs) {
        all.increment();
        count++;
        if (count == 1 || nowNs - toldNs >= TELL_INTERVAL_NS) {
            toldNs = nowNs;
            LOG.warn(
                    "{}: dropped {} frames in its name from elsewhere than {}, the last from {}",
                    vehicle,
                    count,
                    holder.address(),
                    from.address());
        }
    }
}
