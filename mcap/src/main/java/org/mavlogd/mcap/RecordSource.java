package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Splits a file into records, from any channel. Tracks the position and the checksum of the consumed bytes. A length
 * never makes it allocate more than the limit, nor more than about twice the bytes in the file.
 */
final class RecordSource {
    /** The result of reading a record. */
    enum Step {
        RECORD,
        /** The file ends before the record does. */
        CUT
    }

    private static final int WINDOW_BYTES = 64 * 1024;

    private final ReadableByteChannel channel;
    private final int limitBytes;
    private final ByteBuffer window =
            ByteBuffer.allocate(WINDOW_BYTES).limit(0); // from position to limit: read but not consumed
    private final CRC32 crc = new CRC32();
    private final byte[] head = new byte[McapLayout.RECORD_HEADER_BYTES];
    private final FieldCursor headFields = new FieldCursor();
    private byte[] content = {};
    private long position;
    private int opcode;
    private long start;
    private long length;
    private long crcBefore;

    RecordSource(ReadableByteChannel channel, int limitBytes) {
        if (limitBytes < McapLayout.RECORD_HEADER_BYTES) {
            throw new IllegalArgumentException("limit of " + limitBytes + " bytes");
        }
        this.channel = channel;
        this.limitBytes = limitBytes;
    }

    /** Position of the next byte in the file. */
    long position() {
        return position;
    }

    /** Continues at another position of a file. */
    void seek(SeekableByteChannel file, long target) throws IOException {
        file.position(target);
        window.limit(0);
        position = target;
        crc.reset();
    }

    /** Checksum of all bytes consumed since the start, or since {@link #resetCrc}. */
    long crc() {
        return crc.getValue();
    }

    /** The checksum before the current record. */
    long crcBefore() {
        return crcBefore;
    }

    void resetCrc() {
        crc.reset();
    }

    int opcode() {
        return opcode;
    }

    /** Position of the current record in the file. */
    long start() {
        return start;
    }

    /** Length of the current record's content. */
    long length() {
        return length;
    }

    /** The content, from the first byte on, once it has been read. */
    byte[] content() {
        return content;
    }

    /** Reads opcode and length of the next record. */
    Step next() throws IOException {
        start = position;
        crcBefore = crc.getValue();
        if (read(head, 0, head.length) < head.length) {
            return Step.CUT;
        }
        headFields.wrap(head[0] & 0xFF, start, head, head.length);
        opcode = headFields.uint8("opcode");
        length = headFields.int64("length");
        if (opcode == 0) {
            throw headFields.failure("no record has this opcode");
        }
        if (length < 0) {
            throw headFields.failure("length " + Long.toUnsignedString(length) + " is longer than any file");
        }
        return Step.RECORD;
    }

    /** Checks the length of a record that is to be read completely. */
    void checkLength() throws McapException {
        boolean isLarge = opcode == McapLayout.CHUNK || opcode == McapLayout.MESSAGE;
        int limit = isLarge ? limitBytes : Math.min(limitBytes, McapLayout.MAX_DEFINITION_BYTES);
        if (length > limit) {
            throw headFields.failure("length " + length + " exceeds the limit of " + limit + " bytes");
        }
    }

    /** Appends bytes to the content read so far; the limit has been checked. */
    Step readInto(int done, int count) throws IOException {
        int goal = done + count;
        int at = done;
        while (at < goal) {
            if (at == content.length) {
                content = Arrays.copyOf(content, (int) Math.min(goal, Math.max(WINDOW_BYTES, 2L * content.length)));
            }
            int wanted = Math.min(goal, content.length) - at;
            int got = read(content, at, wanted);
            at += got;
            if (got < wanted) {
                return Step.CUT;
            }
        }
        return Step.RECORD;
    }

    /** Skips bytes, and adds them to the checksum {@code into}. */
    Step skip(long count, CRC32 into) throws IOException {
        long left = count;
        while (left > 0) {
            if (!fill()) {
                return Step.CUT;
            }
            int part = (int) Math.min(left, window.remaining());
            into.update(window.array(), window.position(), part);
            give(part);
            left -= part;
        }
        return Step.RECORD;
    }

    /** Fills the target with up to {@code count} bytes; returns their number. */
    int read(byte[] target, int offset, int count) throws IOException {
        int done = 0;
        while (done < count && fill()) {
            int part = Math.min(count - done, window.remaining());
            System.arraycopy(window.array(), window.position(), target, offset + done, part);
            give(part);
            done += part;
        }
        return done;
    }

    private void give(int count) {
        crc.update(window.array(), window.position(), count);
        window.position(window.position() + count);
        position += count;
    }

    /** Whether the window has bytes, after reading more if needed. */
    private boolean fill() throws IOException {
        if (window.hasRemaining()) {
            return true;
        }
        window.clear();
        int count = channel.read(window);
        window.flip();
        if (count == 0) {
            throw new IOException("the channel does not block");
        }
        return count > 0;
    }
}
