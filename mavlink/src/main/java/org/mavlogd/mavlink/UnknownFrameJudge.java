package org.mavlogd.mavlink;

/**
 * Decides whether bytes that look like a frame of an unknown message are one. The checksum of such a frame cannot be
 * checked, so the bytes around it decide: see {@link FrameDecoder}. Hot path.
 */
final class UnknownFrameJudge {
    enum Judgement {
        REAL,
        NOISE,
        /** The next bytes decide. */
        UNDECIDED
    }

    private final FrameChecker checker;

    UnknownFrameJudge(FrameChecker checker) {
        this.checker = checker;
    }

    /**
     * Judges the frame that the checker has just found uncheckable.
     *
     * @param boundary whether a datagram ends at {@code end}
     * @param inSync whether a frame is due at {@code position}
     */
    Judgement judge(byte[] buffer, int position, int end, boolean boundary, boolean inSync) {
        int payloadEnd = position + checker.checkedLength() - FrameLayout.CHECKSUM_LENGTH;
        int next = position + checker.length();
        Judgement judgement = next == end
                ? judgeByBoundary(boundary, inSync)
                : judgeByFollower(buffer, position, next, end, boundary, inSync);
        return judgement == Judgement.REAL && isDisproved(buffer, position, payloadEnd, next)
                ? Judgement.NOISE
                : judgement;
    }

    private Judgement judgeByFollower(
            byte[] buffer, int position, int next, int end, boolean boundary, boolean inSync) {
        if (!FrameLayout.isStart(buffer[next])) {
            return Judgement.NOISE;
        }
        return switch (checker.check(buffer, next, end)) {
            case RIGHT, RIGHT_WITHOUT_SIGNATURE, REFUSED -> Judgement.REAL;
            case UNCHECKABLE -> isLikelyHeader(buffer, position, next) ? Judgement.REAL : Judgement.NOISE;
            case INCOMPLETE -> judgeByBoundary(boundary, inSync);
            case BAD_CHECKSUM, NO_FRAME -> Judgement.NOISE;
        };
    }

    /** At the end of a datagram no bytes follow; the bytes are a frame if one was due. */
    private static Judgement judgeByBoundary(boolean boundary, boolean inSync) {
        if (boundary) {
            return inSync ? Judgement.REAL : Judgement.NOISE;
        }
        return Judgement.UNDECIDED;
    }

    /** A header of MAVLink 1 has no field to check, so it must be of the same sender as the frame before it. */
    private static boolean isLikelyHeader(byte[] buffer, int position, int next) {
        return buffer[next] == FrameLayout.START_V2
                || FrameLayout.source(buffer, position) == FrameLayout.source(buffer, next);
    }

    /** A carried frame ends within the payload. A valid frame that reaches further was not carried. */
    private boolean isDisproved(byte[] buffer, int position, int payloadEnd, int next) {
        for (int at = position + 1; at < next; at++) {
            if (mayReach(buffer, at, payloadEnd, next) && reach(buffer, at, next) > payloadEnd) {
                return true;
            }
        }
        return false;
    }

    /**
     * Excludes frames that end elsewhere, which nearly all starts in a payload do, before their checksums are computed.
     */
    private static boolean mayReach(byte[] buffer, int position, int payloadEnd, int end) {
        if (!FrameLayout.isStart(buffer[position])
                || end - position < FrameLayout.headerLength(buffer, position) + FrameLayout.CHECKSUM_LENGTH) {
            return false;
        }
        int checkedLength = FrameLayout.checkedLength(buffer, position);
        return checkedLength <= end - position && checkedLength + FrameLayout.SIGNATURE_LENGTH > payloadEnd - position;
    }

    /** End of a valid frame; 0 if there is none. */
    private int reach(byte[] buffer, int position, int end) {
        return switch (checker.check(buffer, position, end)) {
            case RIGHT, REFUSED -> position + checker.length();
            case RIGHT_WITHOUT_SIGNATURE -> position + checker.checkedLength();
            case INCOMPLETE, UNCHECKABLE, BAD_CHECKSUM, NO_FRAME -> 0;
        };
    }
}
