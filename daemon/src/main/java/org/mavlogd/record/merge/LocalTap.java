package org.mavlogd.record.merge;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.local.LocalOutcome;

/**
 * Takes records out of one local feed and passes them to the open logs. Lost records are counted, and reported in the
 * logs at most every 10 s. Owned by the recorder's thread; on the hot path.
 */
final class LocalTap implements LocalFeed.Handler {
    private static final long TELL_DISTANCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String KEPT_TEXT =
            LocalOutcome.NO_LOG.loss() + "; the next log has it if it begins within a minute";

    private final LocalFeed feed;
    private final LocalFeed.Consumer consumer;
    private final Counters counters;
    private final LocalIntake.ByteBudget budget;
    private final List<LocalMerge> logs;
    private final LocalIntake.RecentTexts recent;
    private final LocalRecordView record;
    private long nowNs;
    private boolean told;
    private long toldNs;
    private long toldRefused;
    private long untoldLost;

    /**
     * A tap of one feed.
     *
     * @param logs the open logs; kept up to date by the caller
     * @param recent takes log messages while there is no log
     */
    LocalTap(
            int index,
            LocalFeed feed,
            Counters counters,
            LocalIntake.ByteBudget budget,
            List<LocalMerge> logs,
            LocalIntake.RecentTexts recent) {
        this.feed = feed;
        this.consumer = feed.consumer(this);
        this.counters = counters;
        this.budget = budget;
        this.logs = logs;
        this.recent = recent;
        this.record = new LocalRecordView(index);
    }

    /** Takes at most {@code limit} records; returns how many there were. */
    int drain(int limit, long now) {
        nowNs = now;
        return consumer.drain(limit);
    }

    @Override
    public void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
        record.sample(topic, instance, takenNs).in(buffer, offset, length);
        int bytes = LocalEncoder.SAMPLE_OVERHEAD + length;
        if (logs.isEmpty()) {
            counters.sample(LocalOutcome.NO_LOG, bytes);
            budget.take(bytes);
        }
        String loss = logs.isEmpty() ? LocalOutcome.NO_LOG.loss() : "";
        for (int i = 0; i < logs.size(); i++) {
            LocalOutcome outcome = logs.get(i).onSample(record, counters, nowNs);
            counters.sample(outcome, bytes);
            account(outcome, bytes);
            loss = outcome.loss().isEmpty() ? loss : outcome.loss();
        }
        consumer.tellLoss(topic.index(), loss);
    }

    @Override
    public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
        record.text(level, tag, takenNs).in(buffer, offset, length);
        int bytes = LocalEncoder.TEXT_OVERHEAD + length;
        if (logs.isEmpty()) {
            recent.add(record, counters);
            budget.take(bytes);
        }
        String loss = logs.isEmpty() ? KEPT_TEXT : "";
        for (int i = 0; i < logs.size(); i++) {
            LocalOutcome outcome = logs.get(i).onText(record, nowNs);
            counters.text(outcome, bytes);
            account(outcome, bytes);
            loss = outcome.loss().isEmpty() ? loss : outcome.loss();
        }
        consumer.tellLoss(LocalFeed.TEXTS, loss);
    }

    private void account(LocalOutcome outcome, int bytes) {
        if (outcome == LocalOutcome.STORED || outcome.isKept()) {
            budget.take(bytes);
        } else if (outcome.isReported()) {
            untoldLost++;
        }
    }

    /** Reports in the logs how many records of this source they lack, if any, and if that was not reported lately. */
    void tellLosses(long now) {
        long refused = feed.refused();
        boolean isTooSoon = told && now - toldNs < TELL_DISTANCE_NS;
        if ((refused == toldRefused && untoldLost == 0) || logs.isEmpty() || isTooSoon) {
            return;
        }
        String text = "source " + feed.name() + " lost " + (refused - toldRefused + untoldLost)
                + " samples and messages: " + (refused - toldRefused) + " published too fast, " + untoldLost
                + " while the disk accepted none";
        for (LocalMerge log : logs) {
            log.warn(text, now);
        }
        told = true;
        toldNs = now;
        toldRefused = refused;
        untoldLost = 0;
    }

    /** Counters of one local feed. Written by the recorder's thread. */
    static final class Counters {
        final Counter storedSamples;
        final Counter storedTexts;
        final Counter storedBytes;
        final Counter kept;
        private final Map<LocalOutcome, Counter> lostSamples = new EnumMap<>(LocalOutcome.class);
        private final Map<LocalOutcome, Counter> lostTexts = new EnumMap<>(LocalOutcome.class);

        Counters(Metrics metrics, String source) {
            storedSamples =
                    metrics.counter("merge.stored.samples", "Local samples handed to log files", "source", source);
            storedTexts = metrics.counter("merge.stored.texts", "Local messages handed to log files", "source", source);
            storedBytes =
                    metrics.counter("merge.stored.bytes", "Bytes of local data handed to log files", "source", source);
            kept = metrics.counter(
                    "merge.kept.samples", "Local samples that waited for a file with their topic", "source", source);
            for (LocalOutcome outcome : LocalOutcome.values()) {
                if (!outcome.cause().isEmpty()) {
                    lostSamples.put(outcome, lost(metrics, "samples", source, outcome));
                    lostTexts.put(outcome, lost(metrics, "texts", source, outcome));
                }
            }
        }

        private static Counter lost(Metrics metrics, String what, String source, LocalOutcome outcome) {
            return metrics.counter(
                    "merge.lost." + what,
                    "Local " + what + " that a log does not have",
                    "source",
                    source,
                    "cause",
                    outcome.cause());
        }

        void sample(LocalOutcome outcome, int bytes) {
            count(outcome, bytes, storedSamples, lostSamples);
        }

        void text(LocalOutcome outcome, int bytes) {
            count(outcome, bytes, storedTexts, lostTexts);
        }

        private void count(LocalOutcome outcome, int bytes, Counter stored, Map<LocalOutcome, Counter> lost) {
            if (outcome == LocalOutcome.STORED) {
                stored.increment();
                storedBytes.add(bytes);
            } else if (outcome.isKept()) {
                kept.increment();
            } else {
                Objects.requireNonNull(lost.get(outcome)).increment();
            }
        }
    }
}
