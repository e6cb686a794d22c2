package org.mavlogd.fetch;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Is asked what to fetch and told what became of it. Link's thread. */
public interface FetchClient {
    /**
     * How a log begins.
     *
     * @param missing what is not there yet
     */
    record Start(LogSink sink, MissingRanges missing) {}

    /** All logs of the vehicle, by id; returns those to fetch, in that order. */
    List<RemoteLog> onList(List<RemoteLog> logs, FetchWay way);

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
     * @param checksum what the vehicle computed of the whole file, see {@link LogChecksum}
     */
    void onWhole(RemoteLog log, OptionalInt checksum);

    /** A log could not be fetched, or not to its end; the others follow unless the conversation failed as well. */
    void onCut(RemoteLog log, String why);

    /** The conversation has ended; empty when nothing went wrong with it as a whole. */
    void onEnd(String problem);
}
