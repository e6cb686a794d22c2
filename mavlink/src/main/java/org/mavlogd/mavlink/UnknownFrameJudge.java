package org.mavlogd.mavlink;

/**
 * Decides whether bytes that look like a frame of an unknown message are one. The checksum of such a frame cannot be checked, so its
 * neighbours decide: see {@link FrameDecoder}. Hot path.
 */
final class UnknownFrameJudge {
    enum Judgement {
        REAL,
        NOISE,
        /** What comes next decides. */
        UNDECIDED
    }

    private final FrameChecker checker;

    UnknownFrameJudge(FrameChecker checker) {
        this.checker = checker;
    }

    /**
     * Judges the frame that the checker has just called uncheckable.
     *
     * @param boundary true when a datagram ends at {@code end}
     * @param inSync true when a frame is due at {@code position}
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

    /** Where a datagram ends nothing more comes; then it counts whether a frame was due. */
    private static Judgement judgeByBoundary(boolean boundary, boolean inSync) {
        if (boundary) {
            return inSync ? Judgement.REAL : Judgement.NOISE;
        }
        return Judgement.UNDECIDED;
    }

    /** MAVLink 1 has nothing in its header that noise could get wrong, but two frames of one sender say the same. */
    private static boolean isLikelyHeader(byte[] buffer, int position, int next) {
        return buffer[next] == FrameLayout.START_V2
                || FrameLayout.source(buffer, position) == FrameLayout.source(buffer, next);
    }

    /** A carried frame ends with the payload at the latest. One that is right and reaches further was not carried. */
    private boolean isDisproved(byte[] buffer, int position, int payloadEnd, int next) {
        for (int at = position + 1; at < next; at++) {
            if (mayReach(buffer, at, payloadEnd, next) && reach(buffer, at, next) > payloadEnd) {
                return true;
            }
        }
        return false;
    }

    /** Spares the checksums of frames that end elsewhere: of the starts in a payload these are nearly all. */
    private static boolean mayReach(byte[] buffer, int position, int payloadEnd, int end) {
        if (!FrameLayout.isStart(buffer[position])
                || end - position < FrameLayout.headerLength(buffer, position) + FrameLayout.CHECKSUM_LENGTH) {
            return false;
        }
        int checkedLength = FrameLayout.checkedLength(buffer, position);
        return checkedLength <= end - position && checkedLength + FrameLayout.SIGNATURE_LENGTH > payloadEnd - position;
    }

    /** Where a right frame ends; 0 if there is none. */
    private int reach(byte[] buffer, int position, int end) {
        return switch (checker.check(buffer, position, end)) {
            case RIGHT, REFUSED -> position + checker.length();
            case RIGHT_WITHOUT_SIGNATURE -> position + checker.checkedLength();
            case INCOMPLETE, UNCHECKABLE, BAD_CHECKSUM, NO_FRAME -> 0;
        };
    }
}
