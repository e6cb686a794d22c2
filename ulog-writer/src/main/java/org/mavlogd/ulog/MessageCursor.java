package org.mavlogd.ulog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Iterates over the messages of a log that is completely in a buffer, such as a mapped file, by their sizes.
 *
 * <p>Copies nothing: read the payload from the buffer, at {@link #payload()}. Only the magic bytes of the header are
 * checked; after damage the sizes are wrong, and {@link ULogScanner} must be used instead. For logs of up to 2 GiB; for
 * a stream use {@link MessageWalker}. Allocates nothing. Owned by one thread.
 *
 * <pre>{@code
 * MessageCursor messages = new MessageCursor(channel.map(READ_ONLY, 0, channel.size()));
 * while (messages.next()) {
 *     count[messages.type()]++;
 * }
 * }</pre>
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Definition &amp; Data Section Message
 *     Header"</a>
 */
public final class MessageCursor {
    private static final int HEAD = ULogLayout.MESSAGE_HEADER_LENGTH;

    private final ByteBuffer log;
    private final int end;
    private int at;
    private int next;

    /**
     * Creates a cursor before the first message.
     *
     * @param log the log, from 0 to the buffer's limit; its position and byte order are ignored and not changed
     * @throws ULogException if the buffer does not start with the header of a ULog
     */
    public MessageCursor(ByteBuffer log) throws ULogException {
        this.log = log.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.end = log.limit();
        byte[] header = new byte[Math.min(end, ULogLayout.HEADER_LENGTH)];
        log.get(0, header);
        if (header.length < ULogLayout.HEADER_LENGTH) {
            throw FileHeader.tooShort(header.length);
        }
        FileHeader.requireMagic(header, 0);
        this.at = ULogLayout.HEADER_LENGTH;
        this.next = at;
    }

    /** Moves to the next complete message. Returns false, without moving, if there is none. */
    public boolean next() {
        int here = next;
        if (end - here < HEAD) {
            return false;
        }
        int length = HEAD + (log.getShort(here) & 0xFFFF);
        if (end - here < length) {
            return false;
        }
        at = here;
        next = here + length;
        return true;
    }

    /** Type byte of the message, 0 to 255, including unknown types. */
    public int type() {
        return log.get(at + ULogLayout.MESSAGE_TYPE_OFFSET) & 0xFF;
    }

    /** Index of the payload in the buffer. */
    public int payload() {
        return at + HEAD;
    }

    /** Length of the payload in bytes. */
    public int size() {
        return next - at - HEAD;
    }

    /** Index after the last complete message; once {@link #next} returned false, an incomplete message starts here. */
    public int end() {
        return next;
    }
}
