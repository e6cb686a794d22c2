package org.mavlogd.fetch;

import java.util.List;
import java.util.OptionalInt;
import org.mavlogd.mavlink.FrameView;

/** A request to the vehicle that is repeated until its answer is complete. Time is an argument. Owned by the link's thread. */
interface Exchange {
    /** Takes a frame of the vehicle. */
    void onFrame(FrameView frame, long nowNs);

    /** Sends requests that are due. */
    void onTick(long nowNs);

    /** Its state; always the same object. */
    Status status();

    /** The vehicle rebooted. */
    void onReboot(long nowNs);

    /** Ends it early: stops data that the vehicle would still send. */
    void abandon();

    /** The state of an {@link Exchange}. Set by the exchange, read by its owner. Owned by the link's thread. */
    final class Status {
        /** The result of an exchange. */
        enum Outcome {
            RUNNING,
            DONE,
            /** The vehicle's answer ended it, see {@link #problem}. */
            FAILED,
            /** The vehicle never answered; another way may work. */
            UNANSWERED
        }

        private Outcome outcome = Outcome.RUNNING;
        private String problem = "";
        private long progressNs;

        Status(long nowNs) {
            progressNs = nowNs;
        }

        /** Notes progress. */
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

        /** Why it failed; empty if it did not. */
        String problem() {
            return problem;
        }

        /** The time of the last progress. */
        long progressNs() {
            return progressNs;
        }
    }

    /** Requests the list of logs. */
    interface Listing extends Exchange {
        /** More than any vehicle keeps. */
        int MAX_LOGS = 4096;

        /** The logs by id; complete when the exchange is done. */
        List<RemoteLog> logs();
    }

    /** Reads one log. */
    interface Transfer extends Exchange {
        /** The vehicle's checksum of the complete file, once the exchange is done. */
        OptionalInt checksum();
    }
}
