package org.mavlogd.setup;

/**
 * The result of requesting a vehicle's log for a moment.
 *
 * @param bytes of log received
 * @param durationNs from the first of them to the last
 */
public record LogStream(Outcome outcome, long bytes, long durationNs) {
    static final LogStream NOT_ASKED = new LogStream(Outcome.NOT_ASKED, 0, 0);

    /** The possible results. */
    public enum Outcome {
        /** The log arrived. */
        FLOWS,
        /** The log was not requested: an armed vehicle is left alone, or none was found. */
        NOT_ASKED,
        /** PX4: another program receives the stream, or streaming is disabled. */
        REJECTED,
        /** PX4: the link is too slow. */
        DENIED,
        /** PX4: it cannot stream its log, or failed to do so. */
        UNSUPPORTED,
        /** PX4: it did not answer. */
        UNANSWERED,
        /** The request was accepted, or such requests are not answered, but no log arrived. */
        NO_DATA,
        /** ArduPilot: another program receives the log. */
        ELSEWHERE
    }

    /** The rate; 0 if nothing arrived. */
    public double kiloBytesPerSecond() {
        return durationNs == 0 ? 0 : bytes * 1e6 / durationNs;
    }
}
