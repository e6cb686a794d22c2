package org.mavlogd.mavlink;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether a frame starts at a start byte. Between calls it keeps the lengths of the last frame, and checksums
 * of the bytes examined: call {@link #onNewBytes} before other bytes are examined. Apart from one pass over the bytes,
 * each start byte takes constant time; valid frames take little more than their checksums. Hot path.
 */
final class FrameChecker {
    enum Verdict {
        /** More bytes are needed to decide. */
        INCOMPLETE,
        /** Complete, with a valid checksum. */
        RIGHT,
        /** Payload and checksum are complete and valid, but the end of the signature is missing. */
        RIGHT_WITHOUT_SIGNATURE,
        /** Complete, with a valid checksum, but with unknown incompatibility flags. */
        REFUSED,
        /** Complete, but the CRC_EXTRA of this message is unknown. */
        UNCHECKABLE,
        /** The checksum is wrong. */
        BAD_CHECKSUM,
        /** This cannot be a frame of use to us. */
        NO_FRAME
    }

    // Two of the longest frames: a single damaged frame does not slow down the frames behind it.
    private static final int MAX_VAIN_BYTES = 2 * FrameLayout.MAX_LENGTH;

    private final MessageTable messages;
    // Null until hostile bytes arrive: its table takes time to compute, and most links never need it.
    private @Nullable SpanChecksums spans;
    // Bytes of wrong checksums since onNewBytes(), as far as each checksum was computed separately.
    private int vainBytes;

    private int checkedLength;
    private int length;
    private int definition;

    FrameChecker(MessageTable messages) {
        this.messages = messages;
    }

    /** Must be called before other bytes, or changed bytes in the same array, are examined. */
    void onNewBytes() {
        vainBytes = 0;
        if (spans != null) {
            spans.forget();
        }
    }

    /** Examines a start byte and the bytes after it up to {@code end}. */
    Verdict check(byte[] buffer, int position, int end) {
        int headerLength = FrameLayout.headerLength(buffer, position);
        if (end - position < headerLength) {
            return Verdict.INCOMPLETE;
        }
        int flags = headerLength == FrameLayout.HEADER_LENGTH_V2
                ? buffer[position + FrameLayout.INCOMPAT_FLAGS_OFFSET_V2] & 0xFF
                : 0;
        boolean refused = (flags & ~FrameLayout.INCOMPAT_FLAG_SIGNED) != 0;
        int first = messages.first(FrameLayout.messageId(buffer, position));
        boolean known = first >= 0;
        if (refused && !known) {
            return Verdict.NO_FRAME;
        }
        int payloadLength = buffer[position + FrameLayout.LENGTH_OFFSET] & 0xFF;
        checkedLength = headerLength + payloadLength + FrameLayout.CHECKSUM_LENGTH;
        length = checkedLength + ((flags & FrameLayout.INCOMPAT_FLAG_SIGNED) != 0 ? FrameLayout.SIGNATURE_LENGTH : 0);
        if (!known) {
            return end - position < length ? Verdict.INCOMPLETE : Verdict.UNCHECKABLE;
        }
        if (end - position < checkedLength) {
            return Verdict.INCOMPLETE;
        }
        if (!isChecksumRight(buffer, position, first)) {
            return Verdict.BAD_CHECKSUM;
        }
        if (end - position < length) {
            return refused ? Verdict.INCOMPLETE : Verdict.RIGHT_WITHOUT_SIGNATURE;
        }
        return refused ? Verdict.REFUSED : Verdict.RIGHT;
    }

    /** Length of the last frame up to the end of its checksum. Not set after NO_FRAME or for an incomplete header. */
    int checkedLength() {
        return checkedLength;
    }

    /** Length of the last frame with its signature. Set like {@link #checkedLength}. */
    int length() {
        return length;
    }

    /** Definition of the last valid frame. */
    int definition() {
        return definition;
    }

    private boolean isChecksumRight(byte[] buffer, int position, int first) {
        int end = position + checkedLength - FrameLayout.CHECKSUM_LENGTH;
        boolean isHostile = vainBytes > MAX_VAIN_BYTES;
        int crc = isHostile
                ? spans().of(buffer, position + 1, end)
                : Crc16.update(Crc16.START, buffer, position + 1, end - position - 1);
        int checksum = (buffer[end] & 0xFF) | (buffer[end + 1] & 0xFF) << 8;
        definition = messages.match(first, crc, checksum);
        if (definition < 0 && !isHostile) {
            vainBytes += checkedLength;
        }
        return definition >= 0;
    }

    private SpanChecksums spans() {
        SpanChecksums made = spans;
        if (made == null) {
            made = new SpanChecksums();
            spans = made;
        }
        return made;
    }
}
