package org.mavlogd.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Selects the next file for a target: normally the first one of the backlog. If that fails repeatedly, the next one is
 * tried, so that it does not block the others. If the next one arrives and the first one fails again, the file is the
 * cause and is delayed alone. If all fail, the target is the cause, and the order is kept. Owned by the target's
 * thread.
 */
final class SendOrder {
    /** Failures in a row after which other files are tried. */
    static final int MANY_FAILURES = 3;

    private final Map<String, Long> notBeforeNs = new HashMap<>();
    private List<Work> works = List.of();
    // The file that failed last and repeatedly; empty if there is none.
    private String failing = "";
    private boolean hasBegun;
    private boolean hasSentLast;

    void offer(List<Work> all) {
        works = List.copyOf(all);
        notBeforeNs.keySet().retainAll(all.stream().map(Work::name).collect(Collectors.toSet()));
    }

    /**
     * Returns the file to send now.
     *
     * @param isOpen whether a file has not arrived yet
     * @param failures number of failures of a file in a row, including earlier runs
     */
    Optional<Work> next(Predicate<Work> isOpen, ToIntFunction<Work> failures, long nowNs) {
        List<Work> due = works.stream()
                .filter(work -> nowNs - notBeforeNs.getOrDefault(work.name(), nowNs) >= 0 && isOpen.test(work))
                .toList();
        if (due.isEmpty()) {
            return Optional.empty();
        }
        if (!hasBegun && failures.applyAsInt(due.get(0)) >= MANY_FAILURES) {
            failing = due.get(0).name();
        }
        hasBegun = true;
        List<String> names = due.stream().map(Work::name).toList();
        return Optional.of(due.get((names.indexOf(failing) + 1) % due.size()));
    }

    void onSent(Work work) {
        notBeforeNs.remove(work.name());
        failing = "";
        hasSentLast = true;
    }

    /** Delays a single file. */
    void postpone(Work work, long untilNs) {
        notBeforeNs.put(work.name(), untilNs);
        failing = "";
    }

    /**
     * Records that a file could not be sent.
     *
     * @param failures number of failures in a row, including this one
     * @return whether the file is the cause, and not the target
     */
    boolean onFailure(Work work, int failures) {
        boolean isToBlame = failures > MANY_FAILURES && hasSentLast;
        hasSentLast = false;
        if (failures >= MANY_FAILURES) {
            failing = work.name();
        }
        return isToBlame;
    }
}
