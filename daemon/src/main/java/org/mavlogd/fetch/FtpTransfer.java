package org.mavlogd.fetch;

import java.util.OptionalInt;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.FtpLayout;

/**
 * Fetches one log by MAVLink FTP: opens it, reads it in bursts, fills gaps with single reads, closes it, and requests
 * its checksum.
 *
 * <p>A burst cannot be stopped on ArduPilot (up to 2000 packets), so bursts are for long ranges only. Owned by the
 * link's thread.
 */
final class FtpTransfer implements Exchange.Transfer {
    /** The check after all bytes are received. */
    enum Check {
        SIZE,
        CHECKSUM
    }

    private enum State {
        OPENING,
        READING,
        CLOSING,
        SUMMING,
        /** Opened once more to check whether the log has become longer; then the checksum is of more than was read. */
        MEASURING,
        LEAVING,
        ENDED
    }

    private static final int OPEN_WAIT_MS = 1500;
    private static final int CLOSE_WAIT_MS = 500;
    private static final int LONGEST_WAIT_MS = 4000;
    private static final int SUM_WAIT_MS = 2000;
    private static final int CLOSE_TRIES = 3;
    private static final int TRIES_UNTIL_RESET = 2;
    private static final int MAX_OPEN_TRIES = 10;
    private static final int MAX_REOPENINGS = 8;
    // Longer than another program waits before it repeats a request.
    private static final long OTHER_READ_NS = 5_000_000_000L;
    private static final long SUM_NS = 20_000_000_000L;
    // A slow SD card reads about 300 KB/s.
    private static final long SUM_NS_PER_BYTE = 3000;

    private final RemoteLog log;
    private final FtpRequests requests;
    private final FtpReading reading;
    private final Check check;
    private Repeat repeat = new Repeat(OPEN_WAIT_MS, LONGEST_WAIT_MS);
    private State state = State.OPENING;
    private final Exchange.Status status;
    private boolean isAsked;
    private boolean hasGrown;
    private int refusals;
    private int reopenings;
    private long otherReadNs;
    private long summingSinceNs;
    private OptionalInt checksum = OptionalInt.empty();

    FtpTransfer(
            FetchTarget target, RemoteLog log, FetchClient.Start start, Check check, FetchOutbox outbox, long nowNs) {
        this.log = log;
        this.check = check;
        this.requests = new FtpRequests(target, outbox, nowNs >>> 10);
        this.reading = new FtpReading(log, start, requests);
        this.status = new Exchange.Status(nowNs);
        this.otherReadNs = nowNs - OTHER_READ_NS;
        if (reading.isWhole()) {
            // All bytes were stored already, but not verified.
            onClosed(nowNs);
        }
    }

    @Override
    public void onFrame(FrameView frame, long nowNs) {
        if (state == State.ENDED || !requests.isReply(frame)) {
            return;
        }
        int opcode = FtpRequests.requestOpcode(frame);
        if (state == State.READING && FtpReading.isReading(opcode)) {
            onReadReply(frame, nowNs);
        } else if (isAsked && opcode == opcode(state) && requests.isToLast(frame)) {
            requests.onReply(frame);
            onReply(frame, nowNs);
        } else if (opcode == FtpLayout.RESET_SESSIONS && isToOpen()) {
            requests.onReply(frame);
            isAsked = false;
            onTick(nowNs);
        } else if (isToOpen() && FtpReading.isReading(opcode)) {
            otherReadNs = nowNs;
        }
    }

    private boolean isToOpen() {
        return state == State.OPENING || state == State.MEASURING;
    }

    private static int opcode(State state) {
        return switch (state) {
            case OPENING, MEASURING -> FtpLayout.OPEN_FILE_RO;
            case CLOSING, LEAVING -> FtpLayout.TERMINATE_SESSION;
            case SUMMING -> FtpLayout.CALC_FILE_CRC32;
            case READING, ENDED -> -1;
        };
    }

    private void onReply(FrameView reply, long nowNs) {
        status.progress(nowNs);
        switch (state) {
            case OPENING -> {
                if (FtpRequests.isAck(reply)) {
                    onOpened(reply.uint32(FtpLayout.DATA), nowNs);
                } else if (isRefusedForGood(reply)) {
                    fail("the vehicle does not open " + log.path() + ": " + FtpRequests.errorText(reply));
                }
            }
            case CLOSING -> onClosed(nowNs);
            case SUMMING -> onSum(reply, nowNs);
            case MEASURING -> {
                if (FtpRequests.isAck(reply)) {
                    onMeasured(reply.uint32(FtpLayout.DATA), nowNs);
                } else if (isRefusedForGood(reply)) {
                    finishUnverified();
                }
            }
            case LEAVING -> finish();
            case READING, ENDED -> {}
        }
    }

    private void onSum(FrameView reply, long nowNs) {
        if (FtpRequests.isAck(reply) && reply.uint8(FtpLayout.SIZE) == Integer.BYTES) {
            checksum = OptionalInt.of(reply.int32(FtpLayout.DATA));
            goOn(State.MEASURING);
            onTick(nowNs);
        } else {
            finish();
        }
    }

    private void onOpened(long length, long nowNs) {
        if (length < log.length()) {
            fail("the log has " + length + " bytes now, and had " + log.length() + " when it was listed");
            return;
        }
        hasGrown = length > log.length();
        refusals = 0;
        goOn(State.READING);
        reading.begin(nowNs);
    }

    /** Counts a refusal to open the log. Returns whether it is final; otherwise it is tried again when it is due. */
    private boolean isRefusedForGood(FrameView reply) {
        int error = FtpRequests.error(reply);
        // ArduPilot answers FAIL if the reply to a successful open was lost.
        boolean isBusy = error == FtpLayout.ERROR_NO_SESSIONS_AVAILABLE || error == FtpLayout.ERROR_FAIL;
        return !isBusy || ++refusals > MAX_OPEN_TRIES;
    }

    private void onMeasured(long length, long nowNs) {
        if (length != log.length()) {
            checksum = OptionalInt.empty();
        }
        goOn(State.LEAVING);
        onTick(nowNs);
    }

    private void onReadReply(FrameView reply, long nowNs) {
        requests.onReply(reply);
        boolean took = reading.onReply(reply, nowNs);
        if (took) {
            status.progress(nowNs);
            reopenings = 0;
        }
        if (!reading.problem().isEmpty()) {
            fail(reading.problem());
        } else if (reading.isClosed()) {
            reopen();
        } else if (reading.isWhole()) {
            goOn(State.CLOSING);
        }
        onTick(nowNs);
    }

    /** The vehicle closed the file: it was silent for long, or rebooted. */
    private void reopen() {
        if (++reopenings > MAX_REOPENINGS) {
            fail("the vehicle closes " + log.path() + " again and again");
        } else {
            goOn(State.OPENING);
        }
    }

    private void onClosed(long nowNs) {
        if (check == Check.CHECKSUM && !hasGrown) {
            summingSinceNs = nowNs;
            goOn(State.SUMMING);
            onTick(nowNs);
        } else {
            finish();
        }
    }

    private void goOn(State next) {
        state = next;
        isAsked = false;
        repeat = switch (next) {
            case OPENING, MEASURING -> new Repeat(OPEN_WAIT_MS, LONGEST_WAIT_MS);
            case SUMMING -> new Repeat(SUM_WAIT_MS, SUM_WAIT_MS);
            case READING, CLOSING, LEAVING, ENDED -> new Repeat(CLOSE_WAIT_MS, LONGEST_WAIT_MS);
        };
    }

    @Override
    public void onTick(long nowNs) {
        switch (state) {
            case OPENING -> {
                if (repeat.isDue(nowNs) || !isAsked) {
                    open(nowNs);
                }
            }
            case READING -> reading.onTick(nowNs);
            case CLOSING, LEAVING -> {
                if (!isAsked || repeat.isDue(nowNs)) {
                    close(nowNs);
                }
            }
            case MEASURING -> measure(nowNs);
            case SUMMING -> {
                status.progress(nowNs);
                if (nowNs - summingSinceNs >= SUM_NS + log.length() * SUM_NS_PER_BYTE) {
                    finish(); // the size is right; more cannot be checked
                } else if (!isAsked || repeat.isDue(nowNs)) {
                    ask(FtpLayout.CALC_FILE_CRC32, nowNs);
                }
            }
            case ENDED -> {}
        }
    }

    private void open(long nowNs) {
        if (repeat.tries() >= MAX_OPEN_TRIES) {
            repeat.reset();
        }
        // RESET_SESSIONS would take the file from another program with mavlogd's address, which would then read ours.
        boolean isReadByOther = nowNs - otherReadNs < OTHER_READ_NS;
        if (refusals >= TRIES_UNTIL_RESET && refusals % 2 == 0 && !isReadByOther) {
            // Probably a file that an earlier run left open: PX4 has only one session and no time limit for it.
            refusals++;
            requests.send(FtpLayout.RESET_SESSIONS, 0, 0);
            isAsked = true;
        } else if (refusals > 0) {
            requests.send(FtpLayout.OPEN_FILE_RO, log.path(), 0);
            isAsked = true;
        } else {
            ask(FtpLayout.OPEN_FILE_RO, nowNs);
            return;
        }
        repeat.onAsked(nowNs);
    }

    private void measure(long nowNs) {
        if (repeat.tries() >= MAX_OPEN_TRIES) {
            finishUnverified();
        } else if (!isAsked || repeat.isDue(nowNs)) {
            open(nowNs);
        }
    }

    private void close(long nowNs) {
        if (repeat.tries() >= CLOSE_TRIES) {
            if (state == State.LEAVING) {
                finish();
            } else {
                onClosed(nowNs);
            }
        } else if (isAsked) {
            requests.repeat();
            repeat.onAsked(nowNs);
        } else {
            isAsked = true;
            requests.send(FtpLayout.TERMINATE_SESSION, 0, 0);
            repeat.onAsked(nowNs);
        }
    }

    private void ask(int opcode, long nowNs) {
        if (isAsked) {
            requests.repeat();
        } else {
            requests.send(opcode, log.path(), 0);
        }
        isAsked = true;
        repeat.onAsked(nowNs);
    }

    private void fail(String why) {
        if (state == State.READING) {
            requests.send(FtpLayout.TERMINATE_SESSION, 0, 0);
        }
        state = State.ENDED;
        status.fail(why);
    }

    /** Without the length the checksum proves nothing. */
    private void finishUnverified() {
        checksum = OptionalInt.empty();
        finish();
    }

    private void finish() {
        state = State.ENDED;
        status.done();
    }

    @Override
    public Exchange.Status status() {
        return status;
    }

    @Override
    public void onReboot(long nowNs) {
        if (state == State.READING) {
            goOn(State.OPENING);
        }
    }

    @Override
    public void abandon() {
        if (state == State.READING || state == State.CLOSING || state == State.LEAVING) {
            requests.send(FtpLayout.TERMINATE_SESSION, 0, 0);
        }
    }

    @Override
    public OptionalInt checksum() {
        return checksum;
    }
}
