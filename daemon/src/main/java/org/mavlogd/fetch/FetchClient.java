package org.mavlogd.fetch;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The user of a {@link FetchSession}: chooses the logs to fetch and receives the results. Link's thread. */
public interface FetchClient {
    /**
     * How a log begins.
     *
     * @param missing what is not there yet
     */
    record Start(LogSink sink, MissingRanges missing) {}

    /** All logs of the vehicle, by id; returns those to fetch, in that order. */
    List<RemoteLog> onList(List<RemoteLog> logs, Way way);

    /**
     * Asked until it answers with something.
     *
     * @param isAnew whether what there may be of an earlier run is of another log
     */
    Optional<Start> begin(RemoteLog log, boolean isAnew);

    /** Called often while a log is read. */
    void onProgress(RemoteLog log, long doneBytes);

    /**
     * All bytes of a log are there.
     *
     * @param checksum what the vehicle computed of the whole file, see {@link PartFile.Checksum}
     */
    void onWhole(RemoteLog log, OptionalInt checksum);

    /** A log could not be fetched, or not to its end; the others follow unless the conversation failed as well. */
    void onCut(RemoteLog log, String why);

    /** The conversation has ended; empty when the conversation itself had no problem. */
    void onEnd(String problem);

    /** How logs are listed and read. */
    enum Way {
        /** FILE_TRANSFER_PROTOCOL: the vehicle continues as it did. */
        FTP("MAVLink FTP"),
        /** LOG_REQUEST_LIST, LOG_REQUEST_DATA: ArduPilot logs nothing and does not arm meanwhile. */
        MESSAGES("log messages");

        private final String text;

        Way(String text) {
            this.text = text;
        }

        /** For people. */
        public String text() {
            return text;
        }
    }

    /** Where the bytes of one log go. Link's thread; never waits where that thread serves others. */
    interface LogSink {
        /** Takes bytes of the log; false when there is no room now: they are asked for again. */
        boolean write(long position, byte[] bytes, int offset, int length);

        /** Why no more can be written; empty while all is well. */
        String problem();

        /** Whether what was there of an earlier run turned out to be of another log. */
        boolean isStale();
    }
}
