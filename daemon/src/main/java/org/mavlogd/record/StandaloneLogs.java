package org.mavlogd.record;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.figures.RecordCounters;
import org.mavlogd.record.figures.RecordingStatus;
import org.mavlogd.record.files.RecordContext;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.merge.LocalMerge;

/**
 * Decides when this computer's data gets a log of its own: once there is data, and no vehicle's log has taken it for
 * long enough. Such a log ends when a vehicle's log takes over. Owned by the recorder's thread.
 */
final class StandaloneLogs {
    // Sources declare their topics one after another.
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private final RecordContext context;
    private final RecordSettings.Standalone settings;
    private final Metrics metrics;
    private @Nullable RecordCounters counters;
    private @Nullable CompanionLog log;
    private long idleSinceNs;
    private boolean isWaiting;
    private long waitingSinceNs;
    private int lastTopics;
    private long topicsSinceNs;
    private boolean isEnding;

    StandaloneLogs(RecordContext context, Metrics metrics, long nowNs) {
        this.context = context;
        this.settings = context.settings().standalone();
        this.metrics = metrics;
        this.idleSinceNs = nowNs;
    }

    /**
     * Begins, continues or ends the log.
     *
     * @param isTaken whether a vehicle's log takes local data
     */
    void work(boolean isTaken, long nowNs) {
        if (!settings.enabled()) {
            return;
        }
        CompanionLog current = log;
        if (isTaken) {
            idleSinceNs = nowNs;
            isWaiting = false;
            if (current != null) {
                log = null;
                current.end(nowNs, "a vehicle's log started");
            }
        } else if (current != null) {
            current.tick(nowNs);
        } else if (nowNs - idleSinceNs >= settings.afterNs() && isTimeToBegin(nowNs)) {
            begin(nowNs);
        }
    }

    /** Whether data must stay in the rings because a log for it begins soon. */
    boolean isAboutToBegin() {
        return isWaiting;
    }

    /** Merges local data into the open log; null if there is none. */
    @Nullable
    LocalMerge local() {
        CompanionLog current = log;
        return current == null ? null : current.local();
    }

    /** The program ends: data that waits for a log gets it now. */
    void hurry() {
        isEnding = true;
    }

    private boolean isTimeToBegin(long nowNs) {
        if (!isWaiting) {
            if (!hasData()) {
                return false; // an empty log is useless
            }
            isWaiting = true;
            waitingSinceNs = nowNs;
            topicsSinceNs = nowNs;
        }
        int topics = topics();
        if (topics != lastTopics) {
            lastTopics = topics;
            topicsSinceNs = nowNs;
        }
        return isEnding || nowNs - topicsSinceNs >= SETTLE_NS || nowNs - waitingSinceNs >= PATIENCE_NS;
    }

    private boolean hasData() {
        List<LocalFeed> feeds = context.localFeeds();
        for (int i = 0; i < feeds.size(); i++) {
            if (feeds.get(i).fill() > 0) {
                return true;
            }
        }
        return false;
    }

    private int topics() {
        int topics = 0;
        List<LocalFeed> feeds = context.localFeeds();
        for (int i = 0; i < feeds.size(); i++) {
            topics += feeds.get(i).topics().size();
        }
        return topics;
    }

    private void begin(long nowNs) {
        isWaiting = false;
        RecordCounters totals = counters;
        if (totals == null) {
            totals = new RecordCounters(metrics, CompanionLog.FEED);
            counters = totals;
        }
        CompanionLog next =
                new CompanionLog(context, totals, nowNs, context.epochClock().time());
        next.begin();
        log = next;
    }

    void onSystemTime(long epochMs, long nowNs) {
        CompanionLog current = log;
        if (current != null) {
            current.onSystemTime(epochMs, nowNs);
        }
    }

    /** Takes the time of a vehicle's clock, whether or not the vehicle has a log. */
    void onVehicleTime(long utcUs, long thenNs) {
        CompanionLog current = log;
        if (current != null) {
            current.onVehicleTime(utcUs, thenNs);
        }
    }

    void addStatus(List<RecordingStatus> statuses, long nowNs) {
        CompanionLog current = log;
        if (current != null) {
            statuses.add(current.status(nowNs));
        }
    }

    /** Ends the log with the program. */
    void close(long nowNs) {
        CompanionLog current = log;
        if (current != null) {
            log = null;
            current.end(nowNs, "the recorder stops");
        }
    }
}
