package org.mavlogd.mavlink;

import org.jspecify.annotations.Nullable;

/**
 * Judges whether a frame begins at a start byte. Between calls it keeps its verdict's numbers, and checksums of the bytes
 * that it looked at: who looks at other bytes calls {@link #onNewBytes} before. Takes constant time for each start byte,
 * beside one pass over the bytes, and little more than the checksums of the frames where these are right. Hot path.
 */
final class FrameChecker {
    enum Verdict {
        /** More bytes are needed to tell. */
        INCOMPLETE,
        /** Whole, and the checksum is right. */
        RIGHT,
        /** Payload and checksum are complete and right; the signature's end is not there yet. */
        RIGHT_WITHOUT_SIGNATURE,
        /** Whole, and the checksum is right, but it has incompatibility flags nobody here knows. */
        REFUSED,
        /** All bytes are there, but nobody knows CRC_EXTRA of such a message. */
        UNCHECKABLE,
        /** The checksum is wrong. */
        BAD_CHECKSUM,
        /** This cannot be a frame that we could use. */
        NO_FRAME
    }

    // Two of the longest frames: a damaged frame alone does not slow down those behind it.
    private static final int MAX_VAIN_BYTES = 2 * FrameLayout.MAX_LENGTH;

    private final MessageTable messages;
    // Null until hostile bytes come: its table takes time to make, and most links never need it.
    private @Nullable SpanChecksums spans;
    // Bytes with a wrong checksum since the last new bytes, as far as each was computed on its own.
    private int vainBytes;

    private int checkedLength;
    private int length;
    private int definition;

    FrameChecker(MessageTable messages) {
        this.messages = messages;
    }

    /** What is looked at from now on are other bytes, or other ones in the same place. */
    void onNewBytes() {
        vainBytes = 0;
        if (spans != null) {
            spans.forget();
        }
    }

    /** Looks at a start byte and what follows it up to {@code end}. */
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

    /** Of the frame last judged: bytes up to and with the checksum. Not set by NO_FRAME, nor without a complete header. */
    int checkedLength() {
        return checkedLength;
    }

    /** Of the frame last judged: bytes with the signature. Set as {@link #checkedLength}. */
    int length() {
        return length;
    }

    /** Of the right frame last judged: which message it is. */
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
