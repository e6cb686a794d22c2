package org.mavlogd.fetch;

/** How an {@link Exchange} stands. Set by the exchange, read by who began it. Owned by the link's thread. */
final class ExchangeStatus {
    /** What became of it. */
    enum Outcome {
        RUNNING,
        DONE,
        /** The vehicle gave an answer that ends it, see {@link #problem}. */
        FAILED,
        /** The vehicle never answered: another way may do. */
        UNANSWERED
    }

    private Outcome outcome = Outcome.RUNNING;
    private String problem = "";
    private long progressNs;

    ExchangeStatus(long nowNs) {
        progressNs = nowNs;
    }

    /** Something came of it. */
    void progress(long nowNs) {
        progressNs = nowNs;
    }

    void done() {
        outcome = Outcome.DONE;
    }

    void fail(String why) {
        outcome = Outcome.FAILED;
        problem = why;
    }

    void unanswered(String why) {
        outcome = Outcome.UNANSWERED;
        problem = why;
    }

    boolean isRunning() {
        return outcome == Outcome.RUNNING;
    }

    Outcome outcome() {
        return outcome;
    }

    /** What went wrong; empty while nothing did. */
    String problem() {
        return problem;
    }

    /** When something last came of it. */
    long progressNs() {
        return progressNs;
    }
}
