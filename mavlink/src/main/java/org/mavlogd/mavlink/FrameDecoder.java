package org.mavlogd.mavlink;

import java.util.Objects;
import org.mavlogd.mavlink.FrameChecker.Verdict;

/**
 * Finds MAVLink 1 and 2 frames in the bytes of one sender, given in pieces of any size, and hands each frame whose
 * checksum is right to a handler.
 *
 * <p>Frames are shown where they lie in the caller's array; only a frame that a piece's end cuts in two is put together
 * in a small buffer of its own. After a wrong checksum the search continues one byte behind the false start, in all that
 * was kept, so that neither noise nor a damaged or cut frame costs a good one behind it.
 *
 * <p><b>Unknown messages</b> cannot be checked. Searching inside them could deliver a frame that they only carry; not
 * searching inside noise that looks like one would lose what it covers. Such a frame is taken for real, left out and
 * counted when what follows it confirms its length (a frame whose checksum is right, or the header of a further unknown
 * one, or the end of the datagram if nothing was skipped before), unless a frame whose checksum is right lies inside it and reaches into its checksum:
 * that one is real then, and disproves it. Bytes that are not accepted as a frame are searched like noise.
 *
 * <p><b>Cut signatures:</b> a signed frame whose datagram ends inside the signature is delivered as {@link
 * FrameView#isSignatureCut}. In a stream nothing tells a signature from the frame after a cut one, except that no frame
 * begins where the signature should end: then the signature's bytes are searched as well.
 *
 * <p>Never throws for what senders send, keeps at most some hundred bytes, allocates nothing. The handler must neither
 * throw nor call the decoder. Owned by the link's thread. Hot path.
 */
public final class FrameDecoder {
    /** Takes each frame that is complete and whose checksum is right. Hot path. */
    @FunctionalInterface
    public interface Handler {
        /**
         * One frame.
         *
         * @param frame reused for the next frame: valid during the call only
         */
        void onFrame(FrameView frame, long nowNs);

        /**
         * A frame of an unknown message that is taken for real: nothing but its length was checked, and it is of no {@link
         * FrameView#definition}.
         *
         * @param frame reused for the next frame: valid during the call only
         */
        default void onUnknownFrame(FrameView frame, long nowNs) {}
    }

    /** A held-back frame, its signature, and the frame after it that confirms it. */
    private static final int CARRY_BYTES = 2 * FrameLayout.MAX_LENGTH + FrameLayout.SIGNATURE_LENGTH;

    /** Instead of a position: what comes next decides. */
    private static final int WAIT = -1;

    private final Handler handler;
    private final FrameCounters counters;
    private final FrameChecker checker;
    private final UnknownFrameJudge unknownJudge;
    private final FrameView view = new FrameView();

    /** Bytes kept for the next piece, beginning with a frame or a signature in doubt. */
    private final byte[] carry = new byte[CARRY_BYTES];

    private int carryLength;
    /** How many of them came with the datagram that the kept frame began in. */
    private int carryFirstPart;

    /** A frame is due here: nothing was skipped since the last one. */
    private boolean inSync = true;
    /** The bytes here are the signature of a frame already delivered, if that was not cut. */
    private boolean signatureDoubtful;
    /** How many bytes from here on may be the rest of that signature, or already the next frame. */
    private int suspectBytes;

    /** A decoder that knows the messages which come with this program. */
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
     * Takes one datagram: one frame, several, or a piece of a stream that a serial bridge cut anywhere. An incomplete
     * frame waits for its rest, but never delays or costs a datagram that begins with a complete frame.
     */
    public void decodeDatagram(byte[] buffer, int offset, int length, long nowNs) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (carryLength > 0 && beginsWithWholeFrame(buffer, offset, offset + length)) {
            giveUpIncomplete(nowNs);
        }
        feed(buffer, offset, offset + length, true, nowNs);
    }

    /** Forgets an incomplete frame: the sender went away. */
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
                // All that was kept is settled: continue in the caller's array.
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
     * Goes through bytes until {@code stopAt} is reached, or only what comes next can decide.
     *
     * @param boundary true when a datagram ends at {@code end}
     * @return the first byte that is not settled
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
            // This frame begins where the one before should have its signature.
            counters.cutSignatures().increment();
        }
        settled(end);
        show(buffer, position, end, false, nowNs);
        signatureDoubtful = end != checkedEnd;
        return checkedEnd;
    }

    /** What is left behind the checksum is searched: where streams come in datagrams, the next frame may begin there. */
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

    /** Where the signature ends a frame begins, or the datagram ends; else the signature may have been cut. */
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
        // Counted only where a frame was due: in noise anything may look like a start.
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

    /** The datagram ends inside what follows noise and looks like a frame: complete frames behind it go first. */
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

    /** The kept frame's rest will not come. What later datagrams brought may hold complete frames nevertheless. */
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
