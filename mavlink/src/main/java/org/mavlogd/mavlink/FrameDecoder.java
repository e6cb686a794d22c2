package org.mavlogd.mavlink;

import java.util.Objects;
import org.mavlogd.mavlink.FrameChecker.Verdict;

/**
 * Finds MAVLink 1 and 2 frames in the bytes of one sender, in pieces of any size, and passes each frame with a valid
 * checksum to a handler.
 *
 * <p>Frames are passed on in the caller's array; only a frame that crosses the end of a piece is copied into a small
 * buffer. After a wrong checksum the search continues one byte after the false start, in all bytes kept, so that noise
 * and damaged or truncated frames cost no valid frame behind them.
 *
 * <p><b>Unknown messages</b> cannot be checked. Searching inside such a frame could deliver a frame that it only
 * carries as payload; not searching inside noise that looks like one would lose the frames that it covers. Such a frame
 * is accepted and counted if the bytes after it confirm its length: a frame with a valid checksum, the header of
 * another unknown one, or the end of the datagram if nothing was skipped before. It is rejected if a frame with a valid
 * checksum starts inside it and reaches into its checksum. Rejected bytes are searched like noise.
 *
 * <p><b>Truncated signatures:</b> a signed frame whose datagram ends inside the signature is delivered as {@link
 * FrameView#isSignatureCut}. In a stream, a truncated signature and the next frame are only distinguished by this: if
 * no frame starts where the signature should end, the signature's bytes are searched as well.
 *
 * <p>Never throws for any input, keeps at most some hundred bytes, allocates nothing. The handler must neither throw
 * nor call the decoder. Owned by the link's thread. Hot path.
 */
public final class FrameDecoder {
    /** Receives every complete frame with a valid checksum. Hot path. */
    @FunctionalInterface
    public interface Handler {
        /**
         * One frame.
         *
         * @param frame reused for the next frame: valid only during the call
         */
        void onFrame(FrameView frame, long nowNs);

        /**
         * A frame of an unknown message that was accepted: only its length was checked, and it has no {@link
         * FrameView#definition}.
         *
         * @param frame reused for the next frame: valid only during the call
         */
        default void onUnknownFrame(FrameView frame, long nowNs) {}
    }

    /** Room for a held frame, its signature, and the frame after it that confirms it. */
    private static final int CARRY_BYTES = 2 * FrameLayout.MAX_LENGTH + FrameLayout.SIGNATURE_LENGTH;

    /** In place of a position: the next bytes decide. */
    private static final int WAIT = -1;

    private final Handler handler;
    private final FrameCounters counters;
    private final FrameChecker checker;
    private final UnknownFrameJudge unknownJudge;
    private final FrameView view = new FrameView();

    /** Bytes kept for the next piece, starting with an undecided frame or signature. */
    private final byte[] carry = new byte[CARRY_BYTES];

    private int carryLength;
    /** Number of kept bytes from the datagram in which the kept frame starts. */
    private int carryFirstPart;

    /** Whether a frame is due here: nothing was skipped since the last one. */
    private boolean inSync = true;
    /** The bytes here are the signature of a delivered frame, unless it was truncated. */
    private boolean signatureDoubtful;
    /** Number of bytes from here that may be the rest of that signature, or the next frame. */
    private int suspectBytes;

    /** A decoder for the messages of this program. */
    public FrameDecoder(Handler handler, FrameCounters counters) {
        this(handler, counters, Dialect.standard());
    }

    public FrameDecoder(Handler handler, FrameCounters counters, Dialect dialect) {
        this.handler = handler;
        this.counters = counters;
        this.checker = new FrameChecker(dialect.table());
        this.unknownJudge = new UnknownFrameJudge(checker);
    }

    /** Takes the next bytes of a stream. */
    public void decode(byte[] buffer, int offset, int length, long nowNs) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        feed(buffer, offset, offset + length, false, nowNs);
    }

    /**
     * Takes one datagram: a frame, several, or a piece of a stream that a serial bridge split anywhere. An incomplete
     * frame waits for its rest, but neither delays nor costs a datagram that starts with a complete frame.
     */
    public void decodeDatagram(byte[] buffer, int offset, int length, long nowNs) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (carryLength > 0 && beginsWithWholeFrame(buffer, offset, offset + length)) {
            giveUpIncomplete(nowNs);
        }
        feed(buffer, offset, offset + length, true, nowNs);
    }

    /** Discards an incomplete frame, because the sender is gone. */
    public void reset() {
        if (carryLength > 0 && !signatureDoubtful) {
            if (inSync) {
                counters.cutFrames().increment();
            }
            counters.skippedBytes().add(carryLength);
        }
        startAfresh();
    }

    private void feed(byte[] buffer, int offset, int end, boolean datagram, long nowNs) {
        int position = offset;
        while (carryLength > 0 && position < end) {
            int before = carryLength;
            int taken = Math.min(end - position, carry.length - before);
            System.arraycopy(buffer, position, carry, before, taken);
            boolean boundary = datagram && position + taken == end;
            int reached = scan(carry, 0, before + taken, before, boundary, nowNs);
            if (reached < before) {
                keepCarried(reached, before + taken);
                position += taken;
            } else {
                // All kept bytes are settled: continue in the caller's array.
                carryLength = 0;
                position += reached - before;
            }
        }
        if (position < end) {
            int reached = scan(buffer, position, end, end, datagram, nowNs);
            carryLength = end - reached;
            carryFirstPart = carryLength;
            System.arraycopy(buffer, reached, carry, 0, carryLength);
        }
    }

    private void keepCarried(int from, int end) {
        if (from > 0) {
            System.arraycopy(carry, from, carry, 0, end - from);
        }
        carryLength = end - from;
        carryFirstPart = from < carryFirstPart ? carryFirstPart - from : carryLength;
    }

    /**
     * Scans bytes up to {@code stopAt}, or up to a place where the next bytes decide.
     *
     * @param boundary whether a datagram ends at {@code end}
     * @return index of the first unsettled byte
     */
    private int scan(byte[] buffer, int from, int end, int stopAt, boolean boundary, long nowNs) {
        checker.onNewBytes();
        int position = from;
        while (position < stopAt) {
            int next = signatureDoubtful
                    ? settleSignature(buffer, position, end, boundary, nowNs)
                    : step(buffer, position, end, boundary, nowNs);
            if (next == WAIT) {
                return position;
            }
            position = next;
        }
        return position;
    }

    private int step(byte[] buffer, int position, int end, boolean boundary, long nowNs) {
        if (!FrameLayout.isStart(buffer[position])) {
            return skipTo(nextStart(buffer, position + 1, end), position);
        }
        return switch (checker.check(buffer, position, end)) {
            case RIGHT -> deliver(buffer, position, nowNs);
            case RIGHT_WITHOUT_SIGNATURE -> boundary ? deliverWithCutSignature(buffer, position, end, nowNs) : WAIT;
            case REFUSED -> refuse(position);
            case UNCHECKABLE -> passUnknown(buffer, position, end, boundary, nowNs);
            case INCOMPLETE -> boundary && !inSync ? skipToWholeFrame(buffer, position, end) : WAIT;
            case BAD_CHECKSUM -> skipBadChecksum(position);
            case NO_FRAME -> skipTo(position + 1, position);
        };
    }

    private int deliver(byte[] buffer, int position, long nowNs) {
        int checkedEnd = position + checker.checkedLength();
        int end = position + checker.length();
        if (suspectBytes > 0) {
            // This frame starts where the signature of the previous one should be.
            counters.cutSignatures().increment();
        }
        settled(end);
        show(buffer, position, end, false, nowNs);
        signatureDoubtful = end != checkedEnd;
        return checkedEnd;
    }

    /**
     * Delivers a frame without its signature. The bytes after the checksum are searched: if datagrams carry a stream,
     * the next frame may start there.
     */
    private int deliverWithCutSignature(byte[] buffer, int position, int end, long nowNs) {
        int checkedEnd = position + checker.checkedLength();
        counters.cutSignatures().increment();
        show(buffer, position, checkedEnd, true, nowNs);
        settled(checkedEnd);
        inSync = checkedEnd == end;
        return checkedEnd;
    }

    private void show(byte[] buffer, int position, int end, boolean signatureCut, long nowNs) {
        counters.frames().increment();
        view.wrap(buffer, position, end - position, signatureCut);
        view.definition(checker.definition());
        handler.onFrame(view, nowNs);
    }

    /**
     * A signature is complete if a frame starts, or the datagram ends, at its end; otherwise it may have been
     * truncated.
     */
    private int settleSignature(byte[] buffer, int position, int end, boolean boundary, long nowNs) {
        if (isWholeFrame(buffer, position, end)) {
            return doubtSignature(position);
        }
        int next = position + FrameLayout.SIGNATURE_LENGTH;
        if (next == end) {
            return boundary ? confirmSignature(next) : WAIT;
        }
        if (!FrameLayout.isStart(buffer[next])) {
            return doubtSignature(position);
        }
        return switch (checker.check(buffer, next, end)) {
            case RIGHT -> {
                confirmSignature(next);
                yield deliver(buffer, next, nowNs);
            }
            case INCOMPLETE -> boundary ? confirmSignature(next) : WAIT;
            case BAD_CHECKSUM, NO_FRAME -> doubtSignature(position);
            case RIGHT_WITHOUT_SIGNATURE, REFUSED -> confirmSignature(next);
            case UNCHECKABLE ->
                switch (unknownJudge.judge(buffer, next, end, boundary, true)) {
                    case REAL -> confirmSignature(next);
                    case UNDECIDED -> WAIT;
                    case NOISE -> doubtSignature(position);
                };
        };
    }

    private int confirmSignature(int end) {
        signatureDoubtful = false;
        return end;
    }

    private int doubtSignature(int position) {
        signatureDoubtful = false;
        suspectBytes = FrameLayout.SIGNATURE_LENGTH;
        return position;
    }

    private int refuse(int position) {
        counters.refusedFlags().increment();
        return settled(position + checker.length());
    }

    private int skipBadChecksum(int position) {
        // Counted only where a frame was due: noise often looks like a start.
        if (inSync) {
            counters.badChecksums().increment();
        }
        return skipTo(position + 1, position);
    }

    private int passUnknown(byte[] buffer, int position, int end, boolean boundary, long nowNs) {
        int next = position + checker.length();
        return switch (unknownJudge.judge(buffer, position, end, boundary, inSync)) {
            case REAL -> {
                counters.unknownMessages().increment();
                view.wrap(buffer, position, next - position, false);
                view.definition(FrameView.UNKNOWN);
                handler.onUnknownFrame(view, nowNs);
                yield settled(next);
            }
            case UNDECIDED -> WAIT;
            case NOISE -> skipTo(position + 1, position);
        };
    }

    /**
     * Passes over bytes after noise that look like a frame beyond the datagram's end, if complete frames follow inside
     * them.
     */
    private int skipToWholeFrame(byte[] buffer, int position, int end) {
        for (int at = nextStart(buffer, position + 1, end); at < end; at = nextStart(buffer, at + 1, end)) {
            if (isWholeFrame(buffer, at, end)) {
                return skipTo(at, position);
            }
        }
        return WAIT;
    }

    private boolean beginsWithWholeFrame(byte[] buffer, int offset, int end) {
        if (offset == end || !FrameLayout.isStart(buffer[offset])) {
            return false;
        }
        checker.onNewBytes();
        Verdict verdict = checker.check(buffer, offset, end);
        return isRight(verdict) || (verdict == Verdict.UNCHECKABLE && offset + checker.length() == end);
    }

    private boolean isWholeFrame(byte[] buffer, int position, int end) {
        return FrameLayout.isStart(buffer[position]) && isRight(checker.check(buffer, position, end));
    }

    private static boolean isRight(Verdict verdict) {
        return verdict == Verdict.RIGHT || verdict == Verdict.RIGHT_WITHOUT_SIGNATURE || verdict == Verdict.REFUSED;
    }

    /** Gives up the kept frame, whose rest will not arrive, and searches the bytes that later datagrams brought. */
    private void giveUpIncomplete(long nowNs) {
        if (inSync) {
            counters.cutFrames().increment();
        }
        counters.skippedBytes().add(carryFirstPart);
        int kept = carryLength;
        int reached = scan(carry, carryFirstPart, kept, kept, true, nowNs);
        counters.skippedBytes().add(kept - reached);
        startAfresh();
    }

    private void startAfresh() {
        carryLength = 0;
        carryFirstPart = 0;
        inSync = true;
        signatureDoubtful = false;
        suspectBytes = 0;
    }

    private int settled(int position) {
        inSync = true;
        suspectBytes = 0;
        return position;
    }

    private int skipTo(int target, int position) {
        int skipped = target - position;
        int suspect = Math.min(skipped, suspectBytes);
        suspectBytes -= suspect;
        // A signature's bytes belong to a frame, even while they are searched.
        counters.skippedBytes().add(skipped - suspect);
        inSync = false;
        return target;
    }

    private static int nextStart(byte[] buffer, int position, int end) {
        int at = position;
        while (at < end && !FrameLayout.isStart(buffer[at])) {
            at++;
        }
        return at;
    }
}
