package org.mavlogd.vehicle;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fetch.FetchOutbox;
import org.mavlogd.fetch.FetchSession;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchWay;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.MessageIds;

/**
 * Fetches a vehicle's own log some time after it disarms, and stops at once when it arms. ArduPilot is asked by FTP only: while it
 * serves log messages it neither streams its log nor arms. Owned by the link's thread.
 */
final class AfterFlight {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    private final OwnLogs ownLogs;
    private final FetchTarget vehicle;
    private final FetchOutbox outbox;
    private @Nullable FetchSession session;
    private boolean isArmed;
    private boolean isDue;
    private long disarmedNs;

    AfterFlight(OwnLogs ownLogs, FetchTarget vehicle, boolean isArmed, FetchOutbox outbox) {
        this.ownLogs = ownLogs;
        this.vehicle = vehicle;
        this.isArmed = isArmed;
        this.outbox = outbox;
    }

    void onArming(boolean newArmed, long nowNs) {
        if (newArmed) {
            isDue = false;
        } else if (isArmed) {
            isDue = true;
            disarmedNs = nowNs;
        }
        isArmed = newArmed;
    }

    /** A frame of the vehicle, those of its streamed log excepted. */
    void onFrame(FrameView frame, long nowNs) {
        FetchSession running = session;
        if (running != null) {
            running.onFrame(frame, nowNs);
        }
    }

    /** Whether the frame may be of a conversation about its own logs. Hot path. */
    static boolean isOfInterest(int messageId) {
        return switch (messageId) {
            case MessageIds.HEARTBEAT,
                    MessageIds.SYSTEM_TIME,
                    MessageIds.FILE_TRANSFER_PROTOCOL,
                    MessageIds.LOG_ENTRY,
                    MessageIds.LOG_DATA -> true;
            default -> false;
        };
    }

    /** @param isOurs whether no other link has the vehicle */
    void onTick(boolean isOurs, long nowNs) {
        FetchSession running = session;
        if (running != null) {
            running.onTick(nowNs);
            session = running.isAtRest(nowNs) ? null : running;
        } else if (isDue && nowNs - disarmedNs >= ownLogs.delayNs()) {
            isDue = false;
            if (isOurs && !isArmed) {
                session = new FetchSession(vehicle, wish(), outbox, ownLogs.client(vehicle), nowNs);
            }
        }
    }

    private FetchSession.Wish wish() {
        // A PX4 that computes a checksum hears no acknowledgement of its stream meanwhile.
        return vehicle.isArduPilot()
                ? new FetchSession.Wish(List.of(FetchWay.FTP), PATIENCE_NS, true)
                : new FetchSession.Wish(List.of(FetchWay.FTP, FetchWay.MESSAGES), PATIENCE_NS, false);
    }

    void shutDown(long nowNs) {
        FetchSession running = session;
        if (running != null) {
            running.stop("mavlogd ends", nowNs);
        }
    }
}
