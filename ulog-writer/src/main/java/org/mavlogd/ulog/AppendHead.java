package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The flag bits of a log to which data is appended: the flag for appended data, and three slots for the positions of
 * the sections.
 *
 * <p>A slot is free if its offset is 0, or if a crash left it unfinished: it points past the end, or the flag is not
 * set. Changes are ordered so that the log is readable after a crash at any byte.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Flag Bits Message"</a>
 */
final class AppendHead {
    /** The highest byte of an incomplete offset, which makes it larger than any file, also as a signed number. */
    private static final byte INCOMPLETE = 0x7F;

    private static final int SLOTS_BEGIN = ULogLayout.APPENDED_OFFSETS_POSITION;
    private static final int SLOTS_END = SLOTS_BEGIN + ULogLayout.MAX_APPENDED_SECTIONS * Long.BYTES;

    private final AppendFile file;
    private final ByteBuffer head;

    /** End of the log, and start of a new section. */
    final long end;

    private AppendHead(AppendFile file, ByteBuffer head, long end) {
        this.file = file;
        this.head = head;
        this.end = end;
    }

    /** @throws ULogException if nothing can be appended to the log */
    static AppendHead read(AppendFile file) throws IOException {
        int length = ULogLayout.HEADER_LENGTH + MessageEncoder.FLAG_BITS_LENGTH;
        ByteBuffer head = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.read(0, head);
        if (head.position() < ULogLayout.HEADER_LENGTH) {
            throw FileHeader.tooShort(head.position());
        }
        byte[] bytes = head.array();
        FileHeader.requireMagic(bytes, 0);
        int flagBits = ULogLayout.FLAG_BITS_POSITION;
        long end = file.length();
        boolean present = head.position() == length
                && bytes[flagBits + ULogLayout.MESSAGE_TYPE_OFFSET] == MessageType.FLAG_BITS
                && Bytes.uint16(bytes, flagBits) >= ULogLayout.FLAG_BITS_SIZE
                && flagBits + ULogLayout.MESSAGE_HEADER_LENGTH + Bytes.uint16(bytes, flagBits) <= end;
        if (!present) {
            throw new ULogException(
                    "the log's flag bits are missing, incomplete or have no room for an offset: nothing can be appended to it");
        }
        FlagBits.read(bytes, flagBits + ULogLayout.MESSAGE_HEADER_LENGTH, ULogLayout.FLAG_BITS_SIZE);
        return new AppendHead(file, head, end);
    }

    SectionCount sections() {
        int free = 0;
        for (int slot = SLOTS_BEGIN; slot < SLOTS_END; slot += Long.BYTES) {
            free += isFree(slot) ? 1 : 0;
        }
        return new SectionCount(ULogLayout.MAX_APPENDED_SECTIONS - free, free);
    }

    /** @throws ULogException if no slot is free */
    int freeSlot() throws ULogException {
        for (int slot = SLOTS_BEGIN; slot < SLOTS_END; slot += Long.BYTES) {
            if (isFree(slot)) {
                return slot;
            }
        }
        throw new ULogException("all three appended sections of the log are used");
    }

    /** Sets a free slot to the end of the log, durably. The section is empty until messages are written. */
    void claim(int slot) throws IOException {
        for (int other = slot + Long.BYTES; other < SLOTS_END; other += Long.BYTES) {
            // An offset that a crash left here could otherwise point into our section.
            if (head.getLong(other) != 0 && isFree(other)) {
                writeOffset(other, 0);
            }
        }
        writeOffset(slot, end);
        put(ULogLayout.INCOMPAT_FLAGS_POSITION, (byte) (flags() | ULogLayout.INCOMPAT_DATA_APPENDED));
        file.force();
    }

    /** Frees a slot whose section was cut off, and restores the flags. */
    void release(int slot) throws IOException {
        writeOffset(slot, 0);
        put(ULogLayout.INCOMPAT_FLAGS_POSITION, flags());
        file.force();
    }

    private boolean isFree(int slot) {
        boolean flagged = (flags() & ULogLayout.INCOMPAT_DATA_APPENDED) != 0;
        long offset = head.getLong(slot);
        return !flagged || offset == 0 || Long.compareUnsigned(offset, end) >= 0;
    }

    /** The flags when the head was read. */
    private byte flags() {
        return head.get(ULogLayout.INCOMPAT_FLAGS_POSITION);
    }

    /** Writes the low seven bytes while the highest one makes the offset invalid, then the highest one. */
    private void writeOffset(int slot, long offset) throws IOException {
        int highest = slot + Long.BYTES - 1;
        put(highest, INCOMPLETE);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(offset).flip().limit(Long.BYTES - 1);
        file.write(slot, bytes);
        put(highest, (byte) (offset >>> 56));
    }

    private void put(int position, byte value) throws IOException {
        file.write(position, ByteBuffer.wrap(new byte[] {value}));
    }
}
