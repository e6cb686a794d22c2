package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Takes a file apart into records, from any channel. Counts the position and keeps a checksum of the bytes given. A
 * length never makes it allocate more than the limit, nor more than about twice what the file really has.
 */
final class RecordSource {
    /** What became of an attempt to read a record. */
    enum Step {
        RECORD,
        /** The file ends before the record does. */
        CUT
    }

    private static final int WINDOW_BYTES = 64 * 1024;

    private final ReadableByteChannel channel;
    private final int limitBytes;
    private final ByteBuffer window =
            ByteBuffer.allocate(WINDOW_BYTES).limit(0); // position to limit: read, not given yet
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

    /** Of the next byte, in the file. */
    long position() {
        return position;
    }

    /** Continues at another place; the channel is one of a file. */
    void seek(SeekableByteChannel file, long target) throws IOException {
        file.position(target);
        window.limit(0);
        position = target;
        crc.reset();
    }

    /** Of all bytes given since the start, or since {@link #resetCrc}. */
    long crc() {
        return crc.getValue();
    }

    /** The same, before the current record. */
    long crcBefore() {
        return crcBefore;
    }

    void resetCrc() {
        crc.reset();
    }

    int opcode() {
        return opcode;
    }

    /** Of the current record, in the file. */
    long start() {
        return start;
    }

    /** Of the current record's content. */
    long length() {
        return length;
    }

    /** Holds the content, from the first byte on, once it is read. */
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

    /** Of a record that is read completely. */
    void checkLength() throws McapException {
        boolean isLarge = opcode == McapLayout.CHUNK || opcode == McapLayout.MESSAGE;
        int limit = isLarge ? limitBytes : Math.min(limitBytes, McapLayout.MAX_DEFINITION_BYTES);
        if (length > limit) {
            throw headFields.failure("length " + length + " exceeds the limit of " + limit + " bytes");
        }
    }

    /** Appends bytes to those of the content that are read; the limit was checked. */
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

    /** Steps over so many bytes; {@code into} takes their checksum. */
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

    /** Fills the target as far as there are bytes; returns how many there were. */
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

    /** Whether there are bytes in the window. */
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
