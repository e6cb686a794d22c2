package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Splits a stream of log bytes into complete messages, by their sizes alone.
 *
 * <p>Fed chunks of any size, also single bytes. A message that lies wholly in a chunk is given in place; only one that
 * crosses chunks is copied, into a buffer of {@link ULogLayout#MAX_MESSAGE_LENGTH} bytes allocated once. Nothing is
 * judged but the magic of the header: unknown types are given like all others, and after damage the sizes lead
 * astray. {@link ULogScanner} is the one that judges. Hot path: allocates nothing. Owned by one thread.
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
     * @throws ULogException if the log does not begin with the magic of a ULog; nothing more can be fed then
     * @throws IOException what the handler threw
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

    /** Bytes taken so far. */
    public long position() {
        return position;
    }

    /** Where the last complete message ended, as a position in the log: a cut there loses nothing that was given. */
    public long wholeEnd() {
        return wholeEnd;
    }

    /** Bytes held of a message whose end has not come yet. */
    public int partialLength() {
        return partialLength;
    }

    /**
     * Forgets the message begun, and expects a message's start next; before the header has come, its start.
     *
     * @return how many bytes were forgotten
     */
    public int discardPartial() {
        int discarded = partialLength;
        partialLength = 0;
        return discarded;
    }

    /** Expects messages from here on, without a header before them: the stream is joined in the middle. */
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

    /** Copies until the length is known, then until the message is complete; gives it then. */
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

    /** How many bytes the unit here takes, as far as can be told from the bytes available. */
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
