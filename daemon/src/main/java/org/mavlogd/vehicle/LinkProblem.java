package org.mavlogd.vehicle;

import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A problem that affects a whole link: its text for the status, and one line in the log when it begins and when it
 * ends.
 */
final class LinkProblem {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConversations.class);

    private final String link;
    private final String over;
    private final Latest<String> text = new Latest<>("");
    private final ProblemLog log = new ProblemLog(LOG);

    /** @param over the log message when the problem ends */
    LinkProblem(String link, String over) {
        this.link = link;
        this.over = over;
    }

    /** Shows the problem; empty if there is none. Link's thread. */
    void publish(String problem) {
        String line = problem.isEmpty() ? "" : "link \"" + link + "\": " + problem;
        text.set(line);
        if (line.isEmpty()) {
            log.resolved("link \"" + link + "\": " + over);
        } else {
            log.report(line);
        }
    }

    /** Any thread. */
    String text() {
        return text.get();
    }
}
