package org.mavlogd.record.merge;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.record.local.LocalOutcome;

/** What the recorder counts for one local feed. Written by the recorder's thread. */
final class LocalCounters {
    final Counter storedSamples;
    final Counter storedTexts;
    final Counter storedBytes;
    final Counter kept;
    private final Map<LocalOutcome, Counter> lostSamples = new EnumMap<>(LocalOutcome.class);
    private final Map<LocalOutcome, Counter> lostTexts = new EnumMap<>(LocalOutcome.class);

    LocalCounters(Metrics metrics, String feed) {
        storedSamples = metrics.counter("merge.stored.samples", "Local samples handed to log files", "feed", feed);
        storedTexts = metrics.counter("merge.stored.texts", "Local texts handed to log files", "feed", feed);
        storedBytes = metrics.counter("merge.stored.bytes", "Bytes of local data handed to log files", "feed", feed);
        kept = metrics.counter(
                "merge.kept.samples", "Local samples that waited for a file with their topic", "feed", feed);
        for (LocalOutcome outcome : LocalOutcome.values()) {
            if (!outcome.cause().isEmpty()) {
                lostSamples.put(outcome, lost(metrics, "samples", feed, outcome));
                lostTexts.put(outcome, lost(metrics, "texts", feed, outcome));
            }
        }
    }

    private static Counter lost(Metrics metrics, String what, String feed, LocalOutcome outcome) {
        return metrics.counter(
                "merge.lost." + what,
                "Local " + what + " that a log does not have",
                "feed",
                feed,
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
