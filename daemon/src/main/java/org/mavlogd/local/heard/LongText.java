package org.mavlogd.local.heard;

import java.nio.charset.StandardCharsets;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.StatustextLayout;

/**
 * Joins one text from its pieces, which may come in any order, more than once, or not at all. Owned by the link's
 * thread.
 */
public final class LongText {
    /** Replaces one or several missing pieces. */
    static final String MISSING = "[...]";

    /** More pieces than a text can have in a log. */
    static final int MAX_PIECES = 20;

    /** The result for a piece. */
    public enum Verdict {
        TAKEN,
        REPEATED,
        /** It does not belong to this text: its sender uses the number again. */
        OTHER_TEXT
    }

    private static final int UNKNOWN = -1;

    private final byte[] bytes = new byte[MAX_PIECES * StatustextLayout.TEXT_LENGTH];
    private final byte[] piece = new byte[StatustextLayout.TEXT_LENGTH];
    private int source;
    private int id;
    private int severity;
    private boolean isNamed;
    private long firstNs;
    private long lastNs;
    /** A bit for each received piece. */
    private int present;
    /** The number of the last piece, which is not full, once it has come. */
    private int last;

    private boolean tooLong;

    /** Begins the text of a frame; the frame must also be passed to {@link #add}. */
    public void begin(FrameView frame, boolean named, long nowNs) {
        source = source(frame);
        id = StatustextLayout.id(frame);
        severity = StatustextLayout.severity(frame);
        isNamed = named;
        firstNs = nowNs;
        lastNs = nowNs;
        present = 0;
        last = UNKNOWN;
        tooLong = false;
    }

    static int source(FrameView frame) {
        return frame.systemId() << 8 | frame.componentId();
    }

    /** Whether a frame is a piece of it, or of another text with the same number. */
    public boolean isOf(FrameView frame) {
        return source == source(frame) && id == StatustextLayout.id(frame);
    }

    /** Adds a piece. */
    public Verdict add(FrameView frame, long nowNs) {
        int number = StatustextLayout.chunkSeq(frame);
        frame.copyPayload(StatustextLayout.TEXT_OFFSET, piece, 0, piece.length);
        boolean isLast = StatusText.length(piece, 0) < piece.length;
        if (number >= MAX_PIECES) {
            tooLong = true;
            lastNs = nowNs;
            return Verdict.TAKEN;
        }
        if ((present & 1 << number) != 0) {
            return isEqual(number) ? Verdict.REPEATED : Verdict.OTHER_TEXT;
        }
        boolean isBehindEnd = last != UNKNOWN && number > last;
        boolean endsBeforeOthers = isLast && present >>> number != 0;
        if (isBehindEnd || endsBeforeOthers || severity != StatustextLayout.severity(frame)) {
            return Verdict.OTHER_TEXT;
        }
        System.arraycopy(piece, 0, bytes, number * piece.length, piece.length);
        present |= 1 << number;
        last = isLast ? number : last;
        lastNs = nowNs;
        return Verdict.TAKEN;
    }

    private boolean isEqual(int number) {
        int from = number * piece.length;
        return java.util.Arrays.equals(piece, 0, piece.length, bytes, from, from + piece.length);
    }

    /** Whether all pieces have come. */
    public boolean isWhole() {
        return last != UNKNOWN && present == (1 << (last + 1)) - 1;
    }

    /** How many pieces are known to be missing. */
    int missing() {
        int end = end();
        return end - Integer.bitCount(present) + (last == UNKNOWN ? 1 : 0);
    }

    /** One more than the last known piece. */
    private int end() {
        return last != UNKNOWN ? last + 1 : Integer.SIZE - Integer.numberOfLeadingZeros(present);
    }

    /** The text, with {@link #MISSING} for missing pieces. */
    public String text() {
        StringBuilder text = new StringBuilder();
        int end = end();
        for (int from = 0; from < end; ) {
            int to = from;
            boolean there = (present & 1 << from) != 0;
            while (to < end && ((present & 1 << to) != 0) == there) {
                to++;
            }
            text.append(there ? decode(from, to) : MISSING);
            from = to;
        }
        return last == UNKNOWN || tooLong ? text.append(MISSING).toString() : text.toString();
    }

    /** Decodes several pieces at once, because a character's bytes may be in two of them. */
    private String decode(int from, int to) {
        int start = from * piece.length;
        int length = to - 1 == last
                ? (to - 1 - from) * piece.length + StatusText.length(bytes, (to - 1) * piece.length)
                : (to - from) * piece.length;
        return new String(bytes, start, length, StandardCharsets.UTF_8);
    }

    public int source() {
        return source;
    }

    int id() {
        return id;
    }

    public int severity() {
        return severity;
    }

    boolean isNamed() {
        return isNamed;
    }

    /** When its first piece came. */
    public long firstNs() {
        return firstNs;
    }

    /** When the last new piece came. */
    public long lastNs() {
        return lastNs;
    }
}
