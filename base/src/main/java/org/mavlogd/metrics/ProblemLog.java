package org.mavlogd.metrics;

import org.slf4j.Logger;

/**
 * Logs a lasting problem once: the first report is logged, equal ones are counted, and the end of the problem is logged
 * with that count.
 *
 * <p>One object for each thing that can fail. Owned by one thread.
 */
public final class ProblemLog {
    private final Logger log;
    private String current = "";
    private long repeats;

    public ProblemLog(Logger log) {
        this.log = log;
    }

    /** Reports a problem; {@code problem} states what failed, why, and what happens next. */
    public void report(String problem) {
        if (problem.equals(current)) {
            repeats++;
            return;
        }
        closeCount();
        current = problem;
        log.warn("{}", problem);
    }

    /** Ends the problem; {@code message} is logged only if there was one. */
    public void resolved(String message) {
        if (current.isEmpty()) {
            return;
        }
        long count = repeats + 1;
        current = "";
        repeats = 0;
        log.info("{} (after {} failed {})", message, count, count == 1 ? "attempt" : "attempts");
    }

    public boolean isReported() {
        return !current.isEmpty();
    }

    private void closeCount() {
        if (repeats > 0) {
            log.warn("{} (repeated {} times)", current, repeats);
        }
        repeats = 0;
    }
}
