package org.mavlogd.wiring;

import java.util.function.LongSupplier;
import org.mavlogd.link.Link;
import org.mavlogd.metrics.Counter;

/**
 * Checks whether a link's thread still executes tasks: each check leaves a task for it, and counts the executed ones. At
 * most one task waits, so they do not pile up while the thread hangs. Owned by the thread that looks.
 */
final class LinkPulse implements LongSupplier {
    private final Link link;
    private final Counter answers = new Counter(); // written by the link's thread
    private long asked;

    LinkPulse(Link link) {
        this.link = link;
    }

    /** Answers so far. */
    @Override
    public long getAsLong() {
        long answered = answers.get();
        if (answered == asked) {
            asked++;
            link.execute(answers::increment);
        }
        return answered;
    }
}
