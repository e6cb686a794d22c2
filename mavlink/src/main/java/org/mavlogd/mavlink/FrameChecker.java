package org.mavlogd.mavlink;

/**
 * Judges whether a frame begins at a start byte. Keeps nothing between calls but its verdict's numbers. Hot path.
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

    private final MessageTable messages;
    private int checkedLength;
    private int length;
    private int definition;

    FrameChecker(MessageTable messages) {
        this.messages = messages;
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
        boolean known = messages.isKnown(FrameLayout.messageId(buffer, position));
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
        if (!isChecksumRight(buffer, position)) {
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

    private boolean isChecksumRight(byte[] buffer, int position) {
        int end = position + checkedLength - FrameLayout.CHECKSUM_LENGTH;
        int crc = Crc16.update(Crc16.START, buffer, position + 1, end - position - 1);
        int checksum = (buffer[end] & 0xFF) | (buffer[end + 1] & 0xFF) << 8;
        definition = messages.match(FrameLayout.messageId(buffer, position), crc, checksum);
        return definition >= 0;
    }
}
