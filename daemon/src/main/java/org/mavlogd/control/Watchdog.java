package org.mavlogd.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Judges whether the parts that must never stand still make progress. A part shows a number that changes with each round
 * of its work; one that shows the same number for longer than its patience hangs.
 *
 * <p>Reads no clock. Owned by one thread, which also calls the suppliers.
 */
public final class Watchdog {
    /**
     * A part to be watched.
     *
     * @param name for people
     * @param progress differs from call to call while the part works; never waits
     * @param patienceNs how long it may stand still for good reasons
     */
    public record Vital(String name, LongSupplier progress, long patienceNs) {}

    private static final class Watched {
        private final Vital vital;
        private long progress;
        private long movedNs;

        private Watched(Vital vital, long nowNs) {
            this.vital = vital;
            this.progress = vital.progress().getAsLong();
            this.movedNs = nowNs;
        }

        private boolean hangs(long nowNs) {
            long current = vital.progress().getAsLong();
            if (current != progress) {
                progress = current;
                movedNs = nowNs;
            }
            return nowNs - movedNs > vital.patienceNs();
        }
    }

    private final List<Watched> watched = new ArrayList<>();

    /** Counts every part as moving at {@code nowNs}. */
    public Watchdog(List<Vital> vitals, long nowNs) {
        for (Vital vital : vitals) {
            watched.add(new Watched(vital, nowNs));
        }
    }

    /** What hangs, as a sentence for people; empty when all is well. Asks every part each time. */
    public Optional<String> complaint(long nowNs) {
        String complaint = "";
        for (Watched part : watched) {
            if (part.hangs(nowNs) && complaint.isEmpty()) {
                complaint = part.vital.name() + " makes no progress";
            }
        }
        return complaint.isEmpty() ? Optional.empty() : Optional.of(complaint);
    }
}
