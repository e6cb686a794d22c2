package org.mavlogd.vehicle;

import org.mavlogd.metrics.Latest;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that can be wrong with all of a link: its text for the status, and one line in the log when it begins and ends. */
final class LinkProblem {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConversations.class);

    private final String link;
    private final String over;
    private final Latest<String> text = new Latest<>("");
    private final ProblemLog log = new ProblemLog(LOG);

    /** @param over what is said when it is over */
    LinkProblem(String link, String over) {
        this.link = link;
        this.over = over;
    }

    /** Shows what is wrong; empty when nothing is. Link's thread. */
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
