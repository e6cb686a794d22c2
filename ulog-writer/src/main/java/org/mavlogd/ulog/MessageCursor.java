package org.mavlogd.ulog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Steps through the messages of a log that lies wholly in a buffer, such as a mapped file, by their sizes alone.
 *
 * <p>Copies nothing: the payload is read from the buffer, by {@link #payload()}. Nothing is judged but the magic of the
 * header; after damage the sizes lead astray, and {@link ULogScanner} is the one that judges. For a log of at most 2
 * GiB; a stream is for {@link MessageWalker}. Hot path: allocates nothing. Owned by one thread.
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
     * Before the first message.
     *
     * @param log the log, from 0 to the buffer's limit; its position and order do not matter and are left alone
     * @throws ULogException if it does not begin with the header of a ULog
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

    /** Goes to the next complete message; false, and stays where it is, if there is none. */
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

    /** Its type byte, 0 to 255; known or not. */
    public int type() {
        return log.get(at + ULogLayout.MESSAGE_TYPE_OFFSET) & 0xFF;
    }

    /** Where the payload begins in the buffer. */
    public int payload() {
        return at + HEAD;
    }

    /** Bytes of the payload. */
    public int size() {
        return next - at - HEAD;
    }

    /** Where the last complete message ends, so far; bytes from here to the limit are left when {@link #next} is false. */
    public int end() {
        return next;
    }
}
