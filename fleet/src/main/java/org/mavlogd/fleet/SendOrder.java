package org.mavlogd.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Decides which file a target is sent next: the first one in the order of the backlog. A file that fails again and again must not keep the
 * others: then the next one is tried. If that arrives and the first fails once more, the file is to blame, and waits alone. If all
 * fail, the target is to blame, and the order stays. Owned by the target's thread.
 */
final class SendOrder {
    /** So many failures in a row let others be tried. */
    static final int MANY_FAILURES = 3;

    private final Map<String, Long> notBeforeNs = new HashMap<>();
    private List<Work> works = List.of();
    // The file that failed last, and often; empty if there is none.
    private String failing = "";
    private boolean hasBegun;
    private boolean hasSentLast;

    void offer(List<Work> all) {
        works = List.copyOf(all);
        notBeforeNs.keySet().retainAll(all.stream().map(Work::name).collect(Collectors.toSet()));
    }

    /**
     * The one to send now.
     *
     * @param isOpen whether it is not there yet
     * @param failures of each in a row, also in former runs
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

    /** A file waits alone. */
    void postpone(Work work, long untilNs) {
        notBeforeNs.put(work.name(), untilNs);
        failing = "";
    }

    /**
     * A file could not be sent.
     *
     * @param failures in a row, this one included
     * @return whether the file is to blame, and not the target
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
