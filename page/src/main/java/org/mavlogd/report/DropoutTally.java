package org.mavlogd.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.mavlogd.report.Problem.Severity;
import org.mavlogd.text.Words;

/**
 * The dropouts in a log; those within one second count as one. Memory: at most {@value #MAX}; later ones are only
 * counted.
 */
final class DropoutTally {
    private static final int MAX = 100;
    private static final long JOIN_US = 1_000_000;
    private static final long CRITICAL_MS = 1000;

    private static final class Gap {
        private final long fromUs;
        private long toUs;
        private long lostMs;
        private long count;

        Gap(long fromUs) {
            this.fromUs = fromUs;
        }
    }

    private final List<Gap> gaps = new ArrayList<>();
    private long leftOut;
    private long leftOutMs;

    /** Takes a dropout after a sample with this time. */
    void onDropout(long timestampUs, int durationMs) {
        Gap last = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
        if (last == null || timestampUs - last.toUs > JOIN_US) {
            if (gaps.size() == MAX) {
                leftOut++;
                leftOutMs += durationMs;
                return;
            }
            last = new Gap(timestampUs);
            gaps.add(last);
        }
        last.lostMs += durationMs;
        last.count++;
        last.toUs = timestampUs + durationMs * 1000L;
    }

    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        for (Gap gap : gaps) {
            problems.add(new Problem(
                    "gap",
                    gap.lostMs >= CRITICAL_MS ? Severity.CRITICAL : Severity.WARNING,
                    gap.fromUs,
                    OptionalLong.of(gap.toUs),
                    "Log data of " + Words.duration(gap.lostMs * 1000) + " is missing"
                            + (gap.count > 1 ? ", in " + Words.count(gap.count, "gap") : ""),
                    OptionalDouble.of(gap.lostMs / 1e3),
                    OptionalDouble.empty(),
                    "s",
                    "dropouts reported by the log"));
        }
        if (leftOut > 0) {
            problems.add(Problem.of(
                    "gap",
                    Severity.WARNING,
                    gaps.get(MAX - 1).toUs,
                    OptionalLong.empty(),
                    Words.count(leftOut, "more gap") + ", " + Words.duration(leftOutMs * 1000) + " in all"));
        }
        return problems;
    }
}
