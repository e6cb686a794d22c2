package org.mavlogd.record.merge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.local.LocalOutcome;

/**
 * Passes this computer's data to the logs that are being written: a little of each feed in turn, limited to the
 * configured rate for all together. Beyond that rate the data stays in its ring, which fills, so a source that
 * publishes too much loses only its own data. Owned by the recorder's thread; on the hot path.
 */
public final class LocalIntake {
    private static final int TURN_RECORDS = 64;
    private static final int CYCLE_RECORDS = 4096;

    private final List<LocalTap> taps = new ArrayList<>();
    private final List<LocalMerge> logs = new ArrayList<>();
    private final RecentTexts recent = new RecentTexts();
    private final ByteBudget budget;
    private int first;

    public LocalIntake(List<LocalFeed> feeds, RecordSettings.Merge settings, Metrics metrics, long nowNs) {
        this.budget = new ByteBudget(settings.bytesPerSecond(), nowNs);
        for (LocalFeed feed : feeds) {
            LocalTap.Counters counters = new LocalTap.Counters(metrics, feed.name());
            taps.add(new LocalTap(taps.size(), feed, counters, budget, logs, recent));
        }
    }

    /** The logs that take local data in this round; to be cleared and filled before each {@link #work}. */
    public List<LocalMerge> logs() {
        return logs;
    }

    /** Takes as much data as the rate allows; returns how many records there were. */
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

    /** Gives each feed a turn while the rate allows; a different feed is first each time. */
    private int turns(long nowNs) {
        int taken = 0;
        for (int i = 0; i < taps.size() && budget.hasAny(); i++) {
            taken += taps.get((first + i) % taps.size()).drain(TURN_RECORDS, nowNs);
        }
        first = taps.isEmpty() ? 0 : (first + 1) % taps.size();
        return taken;
    }

    /** At the end: takes the rest of all feeds, without limit. */
    public void drainAll(long nowNs) {
        for (LocalTap tap : taps) {
            while (tap.drain(CYCLE_RECORDS, nowNs) > 0) {
                // until it is empty
            }
        }
        recent.loseAll();
    }

    /**
     * A rate limit in bytes per second, which saves unused budget for at most one second. Pure. Owned by one thread.
     * Hot path.
     */
    static final class ByteBudget {
        private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

        private final long bytesPerSecond;
        private long left;
        private long lastNs;

        ByteBudget(long bytesPerSecond, long nowNs) {
            this.bytesPerSecond = bytesPerSecond;
            this.left = bytesPerSecond;
            this.lastNs = nowNs;
        }

        /** Adds the budget for the time that has passed. */
        void refill(long nowNs) {
            long passedNs = Math.min(SECOND_NS, nowNs - lastNs);
            long bytes = (long) ((double) passedNs * bytesPerSecond / SECOND_NS);
            if (bytes > 0) {
                left = Math.min(bytesPerSecond, left + bytes);
                lastNs = nowNs;
            }
        }

        boolean hasAny() {
            return left > 0;
        }

        /** May overdraw the budget by one record. */
        void take(int bytes) {
            left -= bytes;
        }
    }

    /**
     * Keeps log messages of the last minute while there is no log, such as that a link came up or a vehicle was heard.
     * The next log begins with them. Owned by the recorder's thread.
     */
    public static final class RecentTexts {
        public static final int CAPACITY = 64;
        static final long MAX_AGE_NS = TimeUnit.MINUTES.toNanos(1);

        private record Text(int level, int tag, long takenNs, String bytes, LocalTap.Counters counters) {}

        private final ArrayDeque<Text> texts = new ArrayDeque<>(CAPACITY);
        private final LocalRecordView view = new LocalRecordView(0);

        /** Keeps a message; beyond {@link #CAPACITY} the oldest counts as lost for lack of a log. */
        void add(LocalRecordView text, LocalTap.Counters counters) {
            if (texts.size() == CAPACITY) {
                lose(texts.removeFirst());
            }
            // Latin-1 in both directions: unchanged bytes in an immutable object.
            byte[] bytes = new byte[text.length()];
            text.buffer().getBytes(text.offset(), bytes);
            texts.addLast(new Text(
                    text.level(),
                    text.tag(),
                    text.takenNs(),
                    new String(bytes, StandardCharsets.ISO_8859_1),
                    counters));
        }

        /** Writes messages that are not too old into the logs, and drops all. */
        void moveTo(List<LocalMerge> logs, long nowNs) {
            while (!texts.isEmpty()) {
                Text text = texts.removeFirst();
                if (nowNs - text.takenNs() > MAX_AGE_NS) {
                    lose(text);
                } else {
                    write(text, logs, nowNs);
                }
            }
        }

        private void write(Text text, List<LocalMerge> logs, long nowNs) {
            byte[] bytes = text.bytes().getBytes(StandardCharsets.ISO_8859_1);
            view.text(text.level(), text.tag(), text.takenNs()).in(new UnsafeBuffer(bytes), 0, bytes.length);
            for (LocalMerge log : logs) {
                text.counters().text(log.onText(view, nowNs), LocalEncoder.TEXT_OVERHEAD + bytes.length);
            }
        }

        /** At the end: there will be no log. */
        void loseAll() {
            texts.forEach(RecentTexts::lose);
            texts.clear();
        }

        private static void lose(Text text) {
            text.counters()
                    .text(
                            LocalOutcome.NO_LOG,
                            LocalEncoder.TEXT_OVERHEAD + text.bytes().length());
        }
    }
}
