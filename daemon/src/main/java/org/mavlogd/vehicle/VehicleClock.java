package org.mavlogd.vehicle;

import java.util.concurrent.TimeUnit;
import org.mavlogd.feed.FeedPublisher;
import org.mavlogd.mavlink.Timesync;
import org.mavlogd.peer.Peer;
import org.mavlogd.time.ClockFit;
import org.mavlogd.time.ClockState;
import org.mavlogd.time.TimeAligner;
import org.mavlogd.vehicle.conversation.RateLimiter;

/**
 * The conversation about one vehicle's clock: asks for the time while the vehicle is recorded, evaluates its answers,
 * and passes the result to the recorder and the log. Owned by the link's thread.
 *
 * @see <a href="https://mavlink.io/en/services/timesync.html">Time Synchronization Protocol</a>
 */
final class VehicleClock implements ClockConversation {
    private static final long TOPIC_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int ANSWERS_AT_ONCE = 20;
    private static final long ANSWER_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    // Vehicles send one a second, some ten. Each one fits a line through hundreds of points, which takes up to 0.2 ms.
    private static final int BOOT_TIMES_AT_ONCE = 10;
    private static final long BOOT_TIME_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int systemId;
    private final int componentId;
    private final int ownComponentId;
    private final VehicleOutbox outbox;
    private final FeedPublisher publisher;
    private final LinkContext.Clocks shared;
    private final TimeAligner aligner = new TimeAligner();
    private final TimesyncRequests requests = new TimesyncRequests();
    private final RateLimiter answers = new RateLimiter(ANSWERS_AT_ONCE, ANSWER_INTERVAL_NS);
    private final RateLimiter bootTimes = new RateLimiter(BOOT_TIMES_AT_ONCE, BOOT_TIME_INTERVAL_NS);

    // Reports that the full ring refused; they are sent a little later.
    private boolean fitPending;
    private boolean stepPending;
    private boolean topicTold;
    private long topicNs;

    VehicleClock(LinkContext context, VehicleOutbox outbox, int systemId, int componentId) {
        this.systemId = systemId;
        this.componentId = componentId;
        this.ownComponentId = context.settings().ownComponentId();
        this.outbox = outbox;
        this.publisher = context.feeds().logs();
        this.shared = context.clocks();
    }

    @Override
    public void onTimesync(Timesync message, Peer from, long nowNs) {
        if (!message.isFor(systemId, ownComponentId)) {
            shared.counters().ignored().increment();
        } else if (message.isRequest()) {
            answer(message, from, nowNs);
        } else if (requests.isAnswer(message.ts1(), nowNs)) {
            shared.counters().roundTrips().record(nowNs - message.ts1());
            aligner.onRoundTrip(message.ts1(), message.tc1(), nowNs);
            if (aligner.isInDoubt()) {
                requests.hurry(nowNs);
            }
        } else {
            shared.counters().ignored().increment();
        }
    }

    private void answer(Timesync request, Peer from, long nowNs) {
        if (shared.settings().answers() && answers.take(nowNs)) {
            shared.counters().answered().increment();
            outbox.sendTimesync(from, new Timesync(nowNs, request.ts1(), systemId, componentId));
        }
    }

    @Override
    public void onBootTime(long bootMs, long nowNs) {
        if (bootTimes.take(nowNs)) {
            aligner.onBootTime(bootMs, nowNs);
        }
    }

    @Override
    public void onTick(boolean recorded, boolean heard, Peer to, long nowNs) {
        if (!recorded || !heard) {
            requests.forget();
        } else if (shared.settings().asks() && requests.take(aligner.isCurious(nowNs), nowNs)) {
            shared.counters().requests().increment();
            outbox.sendTimesync(to, Timesync.request(nowNs, systemId, componentId));
        }
        if (recorded) {
            tellRecorder(nowNs);
            tellLog(nowNs);
        }
    }

    private void tellRecorder(long nowNs) {
        if (aligner.poll(nowNs)) {
            fitPending = true;
            stepPending |= aligner.fit().step();
        }
        if (fitPending) {
            ClockFit fit = aligner.fit();
            ClockFit told = new ClockFit(fit.atNs(), fit.vehicleUs(), fit.rate(), stepPending);
            fitPending = !publisher.clockFit(systemId, componentId, told, nowNs);
            stepPending &= fitPending;
        }
    }

    private void tellLog(long nowNs) {
        if (topicTold && nowNs - topicNs < TOPIC_INTERVAL_NS) {
            return;
        }
        ClockState state = aligner.state(nowNs);
        if (state.source() != ClockState.Source.NONE) {
            topicTold = true;
            topicNs = nowNs;
            shared.listener().onClock(systemId, componentId, state, nowNs);
        }
    }

    @Override
    public ClockState state(long nowNs) {
        return aligner.state(nowNs);
    }
}
