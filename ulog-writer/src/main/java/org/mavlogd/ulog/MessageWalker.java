package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Splits a stream of log bytes into complete messages, by their sizes.
 *
 * <p>Accepts chunks of any size, down to single bytes. Messages inside one chunk are passed on in place; a message that
 * crosses chunks is copied into a buffer of {@link ULogLayout#MAX_MESSAGE_LENGTH} bytes, which is allocated once. Only
 * the magic bytes of the header are checked: unknown types are passed on like all others, and after damage the sizes
 * are wrong; use {@link ULogScanner} for damaged logs. Allocates nothing. Owned by one thread.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Definition &amp; Data Section Message
 *     Header"</a>
 */
public final class MessageWalker {
    private final MessageHandler handler;
    private final byte[] partial = new byte[ULogLayout.MAX_MESSAGE_LENGTH];
    private int partialLength;
    private boolean headerSeen;
    private long position;
    private long wholeEnd;

    public MessageWalker(MessageHandler handler) {
        this.handler = handler;
    }

    /**
     * Takes the next bytes of the log.
     *
     * @throws ULogException if the log does not start with the magic bytes; nothing more can be fed then
     * @throws IOException thrown by the handler
     */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (partialLength > 0 && at < end) {
            at = completePartial(buffer, at, end);
        }
        if (partialLength == 0) {
            at = walkInPlace(buffer, at, end);
            System.arraycopy(buffer, at, partial, 0, end - at);
            partialLength = end - at;
            position += end - at;
        }
    }

    /** Number of bytes fed so far. */
    public long position() {
        return position;
    }

    /**
     * Position in the log after the last complete message: a log cut there contains every message that was passed on.
     */
    public long wholeEnd() {
        return wholeEnd;
    }

    /** Number of bytes held of an incomplete message. */
    public int partialLength() {
        return partialLength;
    }

    /**
     * Discards the incomplete message, or the incomplete header, and expects a new one next.
     *
     * @return number of bytes discarded
     */
    public int discardPartial() {
        int discarded = partialLength;
        partialLength = 0;
        return discarded;
    }

    /** Expects messages without a header before them: for a stream that is joined in the middle. */
    public void skipHeader() {
        headerSeen = true;
    }

    private int walkInPlace(byte[] buffer, int from, int end) throws IOException {
        int at = from;
        while (true) {
            int needed = neededLength(buffer, at, end - at);
            if (needed > end - at) {
                return at;
            }
            position += needed;
            give(buffer, at, needed);
            at += needed;
        }
    }

    /** Copies until the length is known, then until the message is complete, and passes it on. */
    private int completePartial(byte[] buffer, int from, int end) throws IOException {
        int needed = neededLength(partial, 0, partialLength);
        int copied = Math.min(needed - partialLength, end - from);
        System.arraycopy(buffer, from, partial, partialLength, copied);
        partialLength += copied;
        position += copied;
        if (partialLength == neededLength(partial, 0, partialLength)) {
            int length = partialLength;
            partialLength = 0;
            give(partial, 0, length);
        }
        return from + copied;
    }

    /** Length of the header or message here, as far as the available bytes show it. */
    private int neededLength(byte[] buffer, int offset, int available) {
        if (!headerSeen) {
            return ULogLayout.HEADER_LENGTH;
        }
        return available < ULogLayout.MESSAGE_HEADER_LENGTH
                ? ULogLayout.MESSAGE_HEADER_LENGTH
                : ULogLayout.MESSAGE_HEADER_LENGTH + Bytes.uint16(buffer, offset);
    }

    private void give(byte[] buffer, int offset, int length) throws IOException {
        if (headerSeen) {
            wholeEnd = position;
            handler.onMessage(Bytes.uint8(buffer, offset + ULogLayout.MESSAGE_TYPE_OFFSET), buffer, offset, length);
        } else {
            FileHeader.requireMagic(buffer, offset);
            headerSeen = true;
            wholeEnd = position;
            handler.onHeader(FileHeader.version(buffer, offset), FileHeader.startUs(buffer, offset));
        }
    }
}
