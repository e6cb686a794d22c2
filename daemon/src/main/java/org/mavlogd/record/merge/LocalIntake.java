package org.mavlogd.record.merge;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.files.MergeSettings;

/**
 * Takes what this computer publishes and hands it to the logs that are under way: each feed in turn a little, all together
 * not more than the budget allows. Without budget it stays in its ring, which fills, so that who publishes too much loses his
 * own. Owned by the recorder's thread; on the hot path.
 */
public final class LocalIntake {
    private static final int TURN_RECORDS = 64;
    private static final int CYCLE_RECORDS = 4096;

    private final List<LocalTap> taps = new ArrayList<>();
    private final List<LocalMerge> logs = new ArrayList<>();
    private final RecentTexts recent = new RecentTexts();
    private final ByteBudget budget;
    private int first;

    public LocalIntake(List<LocalFeed> feeds, MergeSettings settings, Metrics metrics, long nowNs) {
        this.budget = new ByteBudget(settings.bytesPerSecond(), nowNs);
        for (LocalFeed feed : feeds) {
            LocalCounters counters = new LocalCounters(metrics, feed.name());
            taps.add(new LocalTap(taps.size(), feed, counters, budget, logs, recent));
        }
    }

    /** The logs that take local data in this round: to be cleared and filled before each {@link #work}. */
    public List<LocalMerge> logs() {
        return logs;
    }

    /** Takes what the budget allows; returns how many records there were. */
    public int work(long nowNs) {
        budget.refill(nowNs);
        if (!logs.isEmpty()) {
            recent.moveTo(logs, nowNs);
        }
        int taken = 0;
        for (int turn = 1; turn > 0 && taken < CYCLE_RECORDS; ) {
            turn = turns(nowNs);
            taken += turn;
        }
        for (int i = 0; i < taps.size(); i++) {
            taps.get(i).tellLosses(nowNs);
        }
        return taken;
    }

    /** A turn for each feed while there is budget; who comes first changes. */
    private int turns(long nowNs) {
        int taken = 0;
        for (int i = 0; i < taps.size() && budget.hasAny(); i++) {
            taken += taps.get((first + i) % taps.size()).drain(TURN_RECORDS, nowNs);
        }
        first = taps.isEmpty() ? 0 : (first + 1) % taps.size();
        return taken;
    }

    /** The end: takes everything that is left, whatever it is. */
    public void drainAll(long nowNs) {
        for (LocalTap tap : taps) {
            while (tap.drain(CYCLE_RECORDS, nowNs) > 0) {
                // until it is empty
            }
        }
        recent.loseAll();
    }
}
