package org.mavlogd.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.mavlogd.contain.ContainedPart;

/**
 * Checks whether the threads that must never hang make progress. A thread provides a number that changes with each
 * round of its work; a thread whose number stays the same for longer than its patience hangs. A vital thread that hangs
 * is a complaint; a contained part that hangs shows it in its status.
 *
 * <p>Reads no clock. Owned by one thread, which also calls the suppliers.
 */
public final class Watchdog {
    /**
     * A thread that must never hang.
     *
     * @param name for messages
     * @param progress returns a value that changes while the thread works; never blocks
     * @param patienceNs how long it may legitimately make no progress
     */
    public record Vital(String name, LongSupplier progress, long patienceNs) {}

    /**
     * A part whose thread is watched, but does not end the process if it hangs.
     *
     * @param progress as for {@link Vital}
     */
    public record Contained(ContainedPart part, LongSupplier progress) {}

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

    private record WatchedPart(ContainedPart part, Watched thread) {}

    private final List<Watched> watched = new ArrayList<>();
    private final List<WatchedPart> parts = new ArrayList<>();

    /** Counts every thread as working at {@code nowNs}. */
    public Watchdog(List<Vital> vitals, long nowNs) {
        this(vitals, List.of(), 0, nowNs);
    }

    /** The same, with parts that may make no progress for {@code patienceNs}. */
    public Watchdog(List<Vital> vitals, List<Contained> contained, long patienceNs, long nowNs) {
        for (Vital vital : vitals) {
            watched.add(new Watched(vital, nowNs));
        }
        for (Contained part : contained) {
            Vital thread = new Vital(part.part().name(), part.progress(), patienceNs);
            parts.add(new WatchedPart(part.part(), new Watched(thread, nowNs)));
        }
    }

    /** The threads that hang, as a sentence for people; empty if none does. Checks every thread each time. */
    public Optional<String> complaint(long nowNs) {
        for (WatchedPart part : parts) {
            part.part().hangs(part.thread().hangs(nowNs));
        }
        String complaint = "";
        for (Watched part : watched) {
            if (part.hangs(nowNs) && complaint.isEmpty()) {
                complaint = part.vital.name() + " makes no progress";
            }
        }
        return complaint.isEmpty() ? Optional.empty() : Optional.of(complaint);
    }
}
