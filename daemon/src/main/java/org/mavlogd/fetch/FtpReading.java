package org.mavlogd.fetch;

import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;

/**
 * Reads the missing bytes of an open file: long ranges in bursts, short ones with a few single reads at a time. Link's
 * thread.
 */
final class FtpReading {
    /** From this length on a burst is faster than single reads. */
    static final int BURST_BYTES = 24 * FtpLayout.DATA_LENGTH;

    /** How many reads wait for answers at once; ArduPilot queues a few requests. */
    private static final int READS = 3;

    private static final int BURST_WAIT_MS = 600;
    private static final int LONGEST_WAIT_MS = 3000;
    private static final int MAX_EMPTY_ANSWERS = 6;

    /** After this many packets without new bytes a burst has reached bytes that are stored already. */
    private static final int MAX_USELESS = 64;

    private static final long NOTHING = -1;
    private static final long NS_PER_MS = 1_000_000;

    private final RemoteLog log;
    private final FetchClient.LogSink sink;
    private final MissingRanges missing;
    private final FtpRequests requests;
    private final byte[] data = new byte[FtpLayout.DATA_LENGTH];
    private final long[] reads = new long[READS];
    private final long[] readsNs = new long[READS];
    private final Repeat.RoundTrip roundTrip = new Repeat.RoundTrip();
    private Repeat repeat = new Repeat(BURST_WAIT_MS, LONGEST_WAIT_MS);
    private boolean isBursting;
    private boolean hasProgress = true;
    private int useless;
    private int emptyAnswers;
    private boolean isClosed;
    private String problem = "";

    FtpReading(RemoteLog log, FetchClient.Start start, FtpRequests requests) {
        this.log = log;
        this.sink = start.sink();
        this.missing = start.missing();
        this.requests = requests;
    }

    static boolean isReading(int opcode) {
        return opcode == FtpLayout.READ_FILE || opcode == FtpLayout.BURST_READ_FILE;
    }

    boolean isWhole() {
        return missing.isEmpty();
    }

    /** Whether the vehicle reported that the file is not open. */
    boolean isClosed() {
        return isClosed;
    }

    String problem() {
        return problem;
    }

    /** The file is open. */
    void begin(long nowNs) {
        isClosed = false;
        repeat = new Repeat(BURST_WAIT_MS, LONGEST_WAIT_MS);
        goOn(nowNs);
    }

    /** Sends the next request: a burst for the first long range, or else single reads. */
    private void goOn(long nowNs) {
        isBursting = false;
        useless = 0;
        for (int i = 0; i < READS; i++) {
            reads[i] = NOTHING;
        }
        if (missing.isEmpty()) {
            return;
        }
        for (int i = 0; i < missing.count(); i++) {
            if (missing.end(i) - missing.start(i) >= BURST_BYTES) {
                isBursting = true;
                requests.send(FtpLayout.BURST_READ_FILE, missing.start(i), FtpLayout.DATA_LENGTH);
                onAsked(BURST_WAIT_MS, nowNs);
                return;
            }
        }
        readMore(nowNs);
        if (!hasProgress) {
            roundTrip.onRepeated();
        }
        onAsked(roundTrip.waitMs(), nowNs);
    }

    private void onAsked(long waitMs, long nowNs) {
        if (hasProgress) {
            hasProgress = false;
            repeat = new Repeat(waitMs, LONGEST_WAIT_MS);
        }
        repeat.onAsked(nowNs);
    }

    /** Reads the first missing pieces that are not requested yet. */
    private void readMore(long nowNs) {
        forgetLateReads(nowNs);
        int free = freeRead();
        for (int i = 0; i < missing.count() && free >= 0; i++) {
            for (long at = missing.start(i); at < missing.end(i) && free >= 0; at += FtpLayout.DATA_LENGTH) {
                if (!isUnderWay(at)) {
                    reads[free] = at;
                    readsNs[free] = nowNs;
                    int size = (int) Math.min(FtpLayout.DATA_LENGTH, missing.end(i) - at);
                    requests.send(FtpLayout.READ_FILE, at, size);
                    roundTrip.onAsked(nowNs);
                    repeat.onAnswer(nowNs);
                    free = freeRead();
                }
            }
        }
    }

    /** A read that is not answered while others are was lost. */
    private void forgetLateReads(long nowNs) {
        for (int i = 0; i < READS; i++) {
            if (reads[i] != NOTHING && nowNs - readsNs[i] >= roundTrip.waitMs() * NS_PER_MS) {
                reads[i] = NOTHING;
            }
        }
    }

    private int freeRead() {
        for (int i = 0; i < READS; i++) {
            if (reads[i] == NOTHING) {
                return i;
            }
        }
        return -1;
    }

    private boolean isUnderWay(long position) {
        for (long read : reads) {
            if (read == position) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether it contained new bytes. */
    boolean onReply(FrameView reply, long nowNs) {
        boolean isBurst = FtpRequests.requestOpcode(reply) == FtpLayout.BURST_READ_FILE;
        if (!FtpRequests.isAck(reply)) {
            onRefusal(reply, isBurst, nowNs);
            return false;
        }
        long start = reply.uint32(FtpLayout.OFFSET);
        int count = reply.uint8(FtpLayout.SIZE);
        boolean took = take(reply, start, count);
        if (took) {
            emptyAnswers = 0;
            useless = 0;
            hasProgress = true;
            repeat.reset();
            repeat.onAsked(nowNs);
        } else {
            useless++;
            onNothingNew(start, count);
        }
        if (took && !isBurst) {
            roundTrip.onAnswer(nowNs);
        }
        if (isBurst) {
            onBurst(reply.uint8(FtpLayout.BURST_COMPLETE) != 0, took, nowNs);
        } else {
            onRead(start, took, nowNs);
        }
        return took;
    }

    /** PX4 answers a read at the end of a file with no data. */
    private void onNothingNew(long start, int count) {
        if (count == 0 && start < log.length() && ++emptyAnswers > MAX_EMPTY_ANSWERS) {
            problem = nothingAt(start);
        }
    }

    private boolean take(FrameView reply, long start, int count) {
        long end = Math.min(start + count, log.length());
        if (start >= end || !missing.touches(start, end) || !missing.mayRemove(start, end)) {
            return false;
        }
        int length = (int) (end - start);
        reply.copyPayload(FtpLayout.DATA, data, 0, length);
        if (!sink.write(start, data, 0, length)) {
            return false;
        }
        missing.remove(start, end);
        return true;
    }

    private void onBurst(boolean isComplete, boolean took, long nowNs) {
        if (!isBursting) {
            return;
        }
        // Without progress the next request waits for its time, so that the two sides never send in an endless loop.
        if ((isComplete && took) || useless == MAX_USELESS) {
            goOn(nowNs);
        } else if (!isComplete) {
            repeat.onAnswer(nowNs);
        }
    }

    private void onRead(long start, boolean took, long nowNs) {
        for (int i = 0; i < READS; i++) {
            if (reads[i] == start && took) {
                reads[i] = NOTHING;
            }
        }
        if (!isBursting && took) {
            readMore(nowNs);
        }
    }

    private void onRefusal(FrameView reply, boolean isBurst, long nowNs) {
        switch (FtpRequests.error(reply)) {
            case FtpLayout.ERROR_END_OF_FILE -> onEndOfFile(reply.uint32(FtpLayout.OFFSET), isBurst, nowNs);
            case FtpLayout.ERROR_INVALID_SESSION, FtpLayout.ERROR_FILE_NOT_FOUND -> isClosed = true;
            case FtpLayout.ERROR_NO_SESSIONS_AVAILABLE -> {}
            default -> problem = "the vehicle cannot read its log: " + FtpRequests.errorText(reply);
        }
    }

    /** Each burst that reaches the end of the file ends so. If that is before the listed length, it is a problem. */
    private void onEndOfFile(long position, boolean isBurst, long nowNs) {
        if (!missing.isEmpty() && missing.start(0) >= position && ++emptyAnswers > MAX_EMPTY_ANSWERS) {
            problem = nothingAt(missing.start(0));
        } else if (isBurst && isBursting && useless < MAX_USELESS && repeat.tries() <= 1) {
            goOn(nowNs);
        }
    }

    private String nothingAt(long position) {
        return "the vehicle sends no data of this log at byte " + position + " of " + log.length();
    }

    void onTick(long nowNs) {
        if (!missing.isEmpty() && repeat.isDue(nowNs)) {
            goOn(nowNs);
        }
    }
}
