package org.mavlogd.fetch;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The user of a {@link FetchSession}: chooses the logs to fetch and receives the results. Link's thread. */
public interface FetchClient {
    /**
     * Where fetching a log begins.
     *
     * @param missing the bytes that are not stored yet
     */
    record Start(LogSink sink, MissingRanges missing) {}

    /** Takes all logs of the vehicle, by id; returns those to fetch, in order. */
    List<RemoteLog> onList(List<RemoteLog> logs, Way way);

    /**
     * Opens a log; called again until it returns a value.
     *
     * @param isAnew whether stored data of an earlier run belongs to another log
     */
    Optional<Start> begin(RemoteLog log, boolean isAnew);

    /** Called often while a log is fetched. */
    void onProgress(RemoteLog log, long doneBytes);

    /**
     * All bytes of a log were received.
     *
     * @param checksum the vehicle's checksum of the complete file, see {@link PartFile.Checksum}
     */
    void onWhole(RemoteLog log, OptionalInt checksum);

    /** A log could not be fetched completely. Others follow unless the conversation failed as well. */
    void onCut(RemoteLog log, String why);

    /** The conversation has ended; {@code problem} is empty unless the conversation itself failed. */
    void onEnd(String problem);

    /** How logs are listed and read. */
    enum Way {
        /** FILE_TRANSFER_PROTOCOL; the vehicle continues its other work. */
        FTP("MAVLink FTP"),
        /** LOG_REQUEST_LIST, LOG_REQUEST_DATA; meanwhile ArduPilot neither logs nor arms. */
        MESSAGES("log messages");

        private final String text;

        Way(String text) {
            this.text = text;
        }

        /** The name, for messages. */
        public String text() {
            return text;
        }
    }

    /** Takes the bytes of one log. Link's thread; never blocks if that thread serves other vehicles. */
    interface LogSink {
        /** Takes bytes of the log; false if there is no room now, then they are requested again. */
        boolean write(long position, byte[] bytes, int offset, int length);

        /** Why no more can be written; empty if there is no problem. */
        String problem();

        /** Whether stored data of an earlier run turned out to be of another log. */
        boolean isStale();
    }
}
