package org.mavlogd.vehicle.px4;

import java.util.concurrent.TimeUnit;
import org.mavlogd.mavlink.CommandAck;

/** LOGGING_STOP, repeated until the vehicle confirms it or the attempts are used up. Owned by the session. */
final class StopExchange {
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);
    // A chunk whose ack was lost is repeated for 2.5 s: a vehicle that is silent for less may still have data.
    private static final int ATTEMPTS = 6;

    private final Px4Outbox outbox;
    private final Px4Counters counters;
    private int attempts;
    private long sentNs;
    private boolean confirmed;
    private long confirmedNs;

    StopExchange(Px4Outbox outbox, Px4Counters counters) {
        this.outbox = outbox;
        this.counters = counters;
    }

    void begin(long nowNs) {
        attempts = 1;
        confirmed = false;
        send(nowNs);
    }

    void onAnswer(int result, long nowNs) {
        if (result != CommandAck.IN_PROGRESS && !confirmed) {
            confirmed = true;
            confirmedNs = nowNs;
        }
    }

    /** Repeats STOP if it is due. */
    void tick(long lastChunkNs, long nowNs) {
        if (confirmed || !isDue(nowNs) || isInVain(lastChunkNs, nowNs)) {
            return;
        }
        // While data comes the vehicle is still sending the rest: such attempts do not count.
        attempts = isComing(lastChunkNs) ? 1 : attempts + 1;
        send(nowNs);
    }

    private boolean isComing(long lastChunkNs) {
        return lastChunkNs - sentNs > 0;
    }

    private void send(long nowNs) {
        sentNs = nowNs;
        counters.stops.increment();
        outbox.sendStop();
    }

    private boolean isDue(long nowNs) {
        return nowNs - sentNs >= RETRY_NS;
    }

    /** Whether the vehicle confirmed STOP, and nothing came for {@code quietNs} since then. */
    boolean isQuiet(long lastChunkNs, long quietNs, long nowNs) {
        return confirmed && nowNs - confirmedNs >= quietNs && nowNs - lastChunkNs >= quietNs;
    }

    /** Whether all attempts brought neither an answer nor data. */
    boolean isInVain(long lastChunkNs, long nowNs) {
        return !confirmed && attempts >= ATTEMPTS && isDue(nowNs) && !isComing(lastChunkNs);
    }
}
