package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.feed.VehicleEvent;
import org.mavlogd.mavlink.Heartbeat;

/**
 * Passes the contents of one vehicle's heartbeats, STATUSTEXT and clock messages to the recorder. Owned by the link's
 * thread.
 *
 * @see <a href="https://mavlink.io/en/messages/minimal.html#MAV_STATE">MAV_STATE</a>
 */
final class VehicleEvents {
    // MAV_STATE: 5 critical, 6 emergency, 7 going to power off, 8 flight termination
    private static final int FIRST_CRITICAL_STATE = 5;
    // MAV_SEVERITY: 0 emergency, 1 alert, 2 critical
    private static final int LAST_CRITICAL_SEVERITY = 2;
    // Between critical STATUSTEXTs that are reported immediately: a vehicle may send many, and each wakes the recorder.
    private static final long TEXT_DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long TIME_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final int systemId;
    private final int componentId;
    private final FeedPublisher publisher;

    private boolean armed;
    private int state;
    private boolean textTold;
    private long textToldNs;
    // The event that the full ring refused, the latest one, or a text that came soon after another.
    private @Nullable VehicleEvent pending;
    private boolean timeTold;
    private long timeToldNs;

    VehicleEvents(int systemId, int componentId, FeedPublisher publisher, Heartbeat first) {
        this.systemId = systemId;
        this.componentId = componentId;
        this.publisher = publisher;
        this.armed = first.isArmed();
        this.state = first.systemStatus();
    }

    void onHeartbeat(Heartbeat heartbeat, long nowNs) {
        if (heartbeat.isArmed() != armed) {
            armed = heartbeat.isArmed();
            tell(armed ? VehicleEvent.ARMED : VehicleEvent.DISARMED, nowNs);
        }
        if (heartbeat.systemStatus() != state) {
            state = heartbeat.systemStatus();
            if (state >= FIRST_CRITICAL_STATE) {
                tell(VehicleEvent.FAILSAFE, nowNs);
            }
        }
    }

    /** Takes STATUSTEXT.severity. */
    void onText(int severity, long nowNs) {
        if (severity > LAST_CRITICAL_SEVERITY || pending != null) {
            return; // that event is as urgent, and comes with the next tick
        }
        if (textTold && nowNs - textToldNs < TEXT_DISTANCE_NS) {
            pending = VehicleEvent.CRITICAL_TEXT;
        } else {
            tell(VehicleEvent.CRITICAL_TEXT, nowNs);
            textTold = true;
            textToldNs = nowNs;
        }
    }

    /** Whether an event waits for the next tick. */
    boolean isWaiting() {
        return pending != null;
    }

    /**
     * Takes SYSTEM_TIME.time_unix_usec; 0 while the vehicle does not know it. Reported once a second, because a log may
     * begin at any time.
     */
    void onUnixTime(long unixUs, long nowNs) {
        if (unixUs > 0 && (!timeTold || nowNs - timeToldNs >= TIME_INTERVAL_NS)) {
            timeTold = publisher.vehicleEvent(systemId, componentId, VehicleEvent.TIME, unixUs, nowNs);
            timeToldNs = nowNs;
        }
    }

    void onTick(long nowNs) {
        if (pending != null) {
            tell(pending, nowNs);
        }
    }

    private void tell(VehicleEvent event, long nowNs) {
        pending = publisher.vehicleEvent(systemId, componentId, event, 0, nowNs) ? null : event;
    }
}
