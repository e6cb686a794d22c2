package org.mavlogd.fetch;

import java.util.List;
import java.util.OptionalInt;
import org.mavlogd.mavlink.FrameView;

/** A request to the vehicle that is repeated until its answer is complete. Time is an argument. Owned by the link's thread. */
interface Exchange {
    /** A frame of the vehicle. */
    void onFrame(FrameView frame, long nowNs);

    /** Asks when something is due. */
    void onTick(long nowNs);

    /** Its state; the same object all the time. */
    Status status();

    /** The vehicle's clock began again. */
    void onReboot(long nowNs);

    /** Nobody wants it any more: what the vehicle would continue with is stopped. */
    void abandon();

    /** The state of an {@link Exchange}. Set by the exchange, read by who began it. Owned by the link's thread. */
    final class Status {
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

        Status(long nowNs) {
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

    /** Asks for the list of logs. */
    interface Listing extends Exchange {
        /** More than any vehicle keeps. */
        int MAX_LOGS = 4096;

        /** By id; complete when the exchange is done. */
        List<RemoteLog> logs();
    }

    /** Reads one log. */
    interface Transfer extends Exchange {
        /** What the vehicle computed of the whole file, once the exchange is done. */
        OptionalInt checksum();
    }
}
