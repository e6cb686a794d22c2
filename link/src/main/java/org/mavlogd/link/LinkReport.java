package org.mavlogd.link;

import java.util.concurrent.TimeUnit;
import org.mavlogd.link.Link.Status.State;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of one link: the status snapshot, and log messages that do not repeat.
 *
 * <p>A problem counts as solved only after it has been over for {@link #SETTLED_NS}: a peer that connects and
 * disconnects several times a second causes one log line, not many. Owned by the link's thread; any thread may call
 * {@link #status}.
 */
final class LinkReport {
    static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(5);

    private volatile Link.Status status;
    private final Counter reconnects;
    private final Logger log;
    private final ProblemLog problems;
    private boolean wasUp;
    private long fineSinceNs;

    LinkReport(String name, String kind, String endpoint, Counter reconnects) {
        this.status = new Link.Status(name, kind, endpoint, State.CLOSED, "", 0);
        this.reconnects = reconnects;
        // The logger's name shows readers of the log the kind of link.
        this.log = LoggerFactory.getLogger(kind.equals(SerialLink.KIND) ? SerialLink.class : Link.class);
        this.problems = new ProblemLog(log);
    }

    Link.Status status() {
        return status;
    }

    /** Bytes can flow. */
    void up(String detail, int peers, long nowNs) {
        if (status.state() != State.UP) {
            if (wasUp) {
                reconnects.increment();
            }
            if (!wasUp && !problems.isReported()) {
                log.info("link \"{}\": up at {}", status.name(), status.endpoint());
            }
            wasUp = true;
        }
        fine(State.UP, detail, peers, nowNs);
    }

    /** Nothing is wrong, but there is no peer. */
    void waiting(String detail, long nowNs) {
        fine(State.WAITING, detail, 0, nowNs);
    }

    /** Something is wrong, and is retried. */
    void trouble(String problem, long nowNs) {
        settle(nowNs);
        publish(State.WAITING, problem, 0, true);
        problems.report("link \"" + status.name() + "\": " + problem);
    }

    /** Called periodically. */
    void settle(long nowNs) {
        Link.Status now = status;
        if (problems.isReported() && !now.hasProblem() && nowNs - fineSinceNs >= SETTLED_NS) {
            String state = now.state() == State.UP ? "up at " : "listening at ";
            problems.resolved("link \"" + now.name() + "\": " + state + now.endpoint());
        }
    }

    /** Logs advice for the operator. */
    void advise(String advice) {
        log.warn("link \"{}\": {}", status.name(), advice);
    }

    /** Logs a change that needs no action. */
    void note(String change) {
        log.info("link \"{}\": {}", status.name(), change);
    }

    void closed(String detail) {
        publish(State.CLOSED, detail, 0, false);
    }

    private void fine(State state, String detail, int peers, long nowNs) {
        if (status.hasProblem()) {
            fineSinceNs = nowNs;
        }
        publish(state, detail, peers, false);
    }

    private void publish(State state, String detail, int peers, boolean hasProblem) {
        Link.Status old = status;
        boolean isSame = old.state() == state && old.peers() == peers && old.hasProblem() == hasProblem;
        if (!isSame || !old.detail().equals(detail)) {
            status = new Link.Status(old.name(), old.kind(), old.endpoint(), state, detail, peers, hasProblem);
        }
    }
}
