package org.mavlogd.setup;

/**
 * The result of asking for a vehicle's log for a moment.
 *
 * @param bytes of log that came
 * @param durationNs from the first of them to the last
 */
public record LogStream(Outcome outcome, long bytes, long durationNs) {
    static final LogStream NOT_ASKED = new LogStream(Outcome.NOT_ASKED, 0, 0);

    /** The possible answers. */
    public enum Outcome {
        /** The log came. */
        FLOWS,
        /** It was not asked for: an armed vehicle is left alone, or none was found. */
        NOT_ASKED,
        /** PX4: another program has the stream, or streaming is switched off. */
        REJECTED,
        /** PX4: the link is too slow. */
        DENIED,
        /** PX4: it cannot stream its log, or failed to. */
        UNSUPPORTED,
        /** PX4: it did not answer. */
        UNANSWERED,
        /** It agreed, or does not answer such questions, and no log came. */
        NO_DATA,
        /** ArduPilot: the log goes to another program. */
        ELSEWHERE
    }

    /** 0 while nothing came. */
    public double kiloBytesPerSecond() {
        return durationNs == 0 ? 0 : bytes * 1e6 / durationNs;
    }
}
