package org.mavlogd.fetch;

import java.util.OptionalInt;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.LogDataLayout;
import org.mavlogd.mavlink.LogEntryLayout;
import org.mavlogd.mavlink.MessageIds;

/**
 * Fetches one log by LOG_REQUEST_DATA and LOG_DATA, range by range, and requests lost pieces again.
 *
 * <p>ArduPilot ignores a request while it answers another one, so the next is sent when the last piece has come or
 * nothing came for a while. After a silence the log's entry is checked first: a vehicle that was restarted may have
 * given its id to another log. Owned by the link's thread.
 */
final class MessageTransfer implements Exchange.Transfer {
    /** The longest request: how much the vehicle still sends after an early end if LOG_REQUEST_END is lost. */
    static final int MAX_REQUEST_BYTES = 8192 * LogDataLayout.DATA_LENGTH;

    /** Bytes between two gaps are requested again if that is faster than another request; at most this many. */
    private static final int MOST_NEAR_BYTES = 512 * LogDataLayout.DATA_LENGTH;

    // The vehicle may have to search the log first.
    private static final int FIRST_WAIT_MS = 1500;
    private static final int LONGEST_WAIT_MS = 3000;
    // No vehicle finishes a reboot faster.
    private static final long CHECK_AFTER_NS = 1_200_000_000;
    private static final int MAX_EMPTY_ANSWERS = 6;

    /**
     * The log in the list.
     *
     * @param isJustNow whether the id surely still belongs to the log
     * @param mayGrow whether it is the newest log of a vehicle that was not restarted since
     * @param count of all logs
     */
    record Listed(boolean isJustNow, boolean mayGrow, int count) {}

    private final RemoteLog log;
    private final Listed listed;
    private final FetchClient.LogSink sink;
    private final MissingRanges missing;
    private final LogRequests requests;
    private final byte[] data = new byte[LogDataLayout.DATA_LENGTH];
    private final Repeat.RoundTrip roundTrip = new Repeat.RoundTrip();
    private final Pace pace = new Pace(roundTrip);
    private Repeat repeat = new Repeat(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    private final Exchange.Status status;
    private long askedEnd = -1;
    private boolean hasProgress;
    private boolean isChecking;
    private int emptyAnswers;
    private long answeredNs;

    MessageTransfer(
            FetchTarget target, RemoteLog log, Listed listed, FetchClient.Start start, FetchOutbox outbox, long nowNs) {
        this.log = log;
        this.listed = listed;
        this.isChecking = !listed.isJustNow();
        this.sink = start.sink();
        this.missing = start.missing();
        this.requests = new LogRequests(target, outbox);
        this.status = new Exchange.Status(nowNs);
        this.answeredNs = nowNs;
        finishIfWhole();
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        if (!status.isRunning()) {
            return;
        }
        if (frame.messageId() == MessageIds.LOG_DATA && !isChecking) {
            onData(frame, nowNs);
        } else if (frame.messageId() == MessageIds.LOG_ENTRY && isChecking) {
            onEntry(
                    LogEntryLayout.id(frame),
                    LogEntryLayout.numLogs(frame),
                    LogEntryLayout.size(frame),
                    LogEntryLayout.timeUtc(frame),
                    nowNs);
        }
    }

    private void onData(FrameView frame, long nowNs) {
        int count = LogDataLayout.count(frame);
        long start = LogDataLayout.ofs(frame);
        if (LogDataLayout.id(frame) != log.id() || count > LogDataLayout.DATA_LENGTH || start > log.length()) {
            return; // an answer to another program, or invalid
        }
        long end = Math.min(start + count, log.length());
        repeat.onAnswer(nowNs);
        answeredNs = nowNs;
        pace.onBytes(count, nowNs);
        if (missing.touches(start, end)) {
            take(frame, start, end, nowNs);
        }
        boolean isLast = end == askedEnd || count < LogDataLayout.DATA_LENGTH;
        if (count == 0 && start < log.length() && !hasProgress && ++emptyAnswers > MAX_EMPTY_ANSWERS) {
            status.fail("the vehicle sends no data of this log at byte " + start + " of " + log.length());
        } else if (isLast && hasProgress && status.isRunning()) {
            ask(nowNs);
        }
    }

    private void take(FrameView frame, long start, long end, long nowNs) {
        int length = (int) (end - start);
        frame.copyPayload(LogDataLayout.DATA_OFFSET, data, 0, length);
        if (!missing.mayRemove(start, end) || !sink.write(start, data, 0, length)) {
            return;
        }
        missing.remove(start, end);
        roundTrip.onAnswer(nowNs);
        status.progress(nowNs);
        hasProgress = true;
        emptyAnswers = 0;
        finishIfWhole();
    }

    private void finishIfWhole() {
        if (missing.isEmpty()) {
            status.done();
        }
    }

    private void onEntry(int id, int count, long length, long utcS, long nowNs) {
        if (id != log.id()) {
            return;
        }
        // Stored bytes must not be mixed with another log's: then only exactly the same entry is accepted.
        boolean isBegun = missing.bytes() < log.length();
        boolean hasGrown = length > log.length() && count == listed.count() && listed.mayGrow() && !isBegun;
        if (hasGrown || (length == log.length() && utcS == log.utcS())) {
            isChecking = false;
            answeredNs = nowNs;
            repeat = new Repeat(FIRST_WAIT_MS, LONGEST_WAIT_MS);
        } else {
            status.fail("the vehicle's list of logs has changed: " + log.id()
                    + " is another one now, or has become longer");
        }
    }

    @Override
    public void onTick(long nowNs) {
        if (!status.isRunning() || !repeat.isDue(nowNs)) {
            return;
        }
        if (isChecking) {
            requests.list(log.id(), log.id());
            repeat.onAsked(nowNs);
        } else if (nowNs - answeredNs >= CHECK_AFTER_NS && repeat.tries() > 0) {
            check();
        } else {
            ask(nowNs);
        }
    }

    private void check() {
        isChecking = true;
        repeat.reset();
    }

    /** Requests the first gap, and gaps near it. */
    private void ask(long nowNs) {
        long start = missing.start(0);
        long end = missing.end(0);
        long nearBytes = Math.min(MOST_NEAR_BYTES, pace.bytesPerRoundTrip());
        pace.onAsked();
        for (int i = 1; i < missing.count() && missing.start(i) - end <= nearBytes; i++) {
            end = missing.end(i);
        }
        askedEnd = Math.min(end, start + MAX_REQUEST_BYTES);
        if (hasProgress) {
            hasProgress = false;
            repeat = new Repeat(roundTrip.waitMs(), LONGEST_WAIT_MS);
            roundTrip.onAsked(nowNs);
        } else {
            roundTrip.onRepeated();
        }
        requests.data(log.id(), start, askedEnd);
        repeat.onAsked(nowNs);
    }

    @Override
    public Exchange.Status status() {
        return status;
    }

    @Override
    public void onReboot(long nowNs) {
        if (status.isRunning()) {
            check();
        }
    }

    @Override
    public void abandon() {
        requests.end();
    }

    @Override
    public OptionalInt checksum() {
        return OptionalInt.empty();
    }

    /**
     * Measures how many bytes come during a round trip: a shorter stretch is better sent again than skipped by another
     * request. Link's thread.
     */
    private static final class Pace {
        /** This much of an answer is enough to measure the rate. */
        private static final long ENOUGH_BYTES = 64 * 90;

        private final Repeat.RoundTrip roundTrip;
        private double bytesPerNs;
        private long beginNs;
        private long bytes;

        Pace(Repeat.RoundTrip roundTrip) {
            this.roundTrip = roundTrip;
        }

        void onAsked() {
            bytes = 0;
        }

        /** Counts bytes of the answer, also repeated ones. */
        void onBytes(long count, long nowNs) {
            if (bytes == 0) {
                beginNs = nowNs;
            }
            bytes += count;
            if (bytes >= ENOUGH_BYTES && nowNs - beginNs > 0) {
                bytesPerNs = bytes / (double) (nowNs - beginNs);
            }
        }

        /** Bytes that come during a round trip. */
        long bytesPerRoundTrip() {
            return (long) (bytesPerNs * roundTrip.usualNs());
        }
    }
}
