package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a log that is added to: the flag that something was, and the three slots for where.
 *
 * <p>A slot is free if its offset is 0, or was left by a crash: behind the end, or under no flag. Every change is made
 * in an order that leaves a readable log after any byte of it.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Flag Bits Message"</a>
 */
final class AppendHead {
    /** As the highest byte it puts an offset behind the end of any file, also as a signed number. */
    private static final byte INCOMPLETE = 0x7F;

    private static final int SLOTS_BEGIN = ULogLayout.APPENDED_OFFSETS_POSITION;
    private static final int SLOTS_END = SLOTS_BEGIN + ULogLayout.MAX_APPENDED_SECTIONS * Long.BYTES;

    private final AppendFile file;
    private final ByteBuffer head;

    /** Where the log ends, and a new section begins. */
    final long end;

    private AppendHead(AppendFile file, ByteBuffer head, long end) {
        this.file = file;
        this.head = head;
        this.end = end;
    }

    /** @throws ULogException if the log has no place for sections */
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

    /** @throws ULogException if there is none */
    int freeSlot() throws ULogException {
        for (int slot = SLOTS_BEGIN; slot < SLOTS_END; slot += Long.BYTES) {
            if (isFree(slot)) {
                return slot;
            }
        }
        throw new ULogException("all three appended sections of the log are used");
    }

    /** Makes a free slot say that a section begins at the end, durably: it is empty until messages are written. */
    void claim(int slot) throws IOException {
        for (int other = slot + Long.BYTES; other < SLOTS_END; other += Long.BYTES) {
            // What a crash left there must not come to mean a place in our section.
            if (head.getLong(other) != 0 && isFree(other)) {
                writeOffset(other, 0);
            }
        }
        writeOffset(slot, end);
        put(ULogLayout.INCOMPAT_FLAGS_POSITION, (byte) (flags() | ULogLayout.INCOMPAT_DATA_APPENDED));
        file.force();
    }

    /** Makes a slot free again whose section was cut off; the flag becomes what it was. */
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

    /** As they were when the head was read. */
    private byte flags() {
        return head.get(ULogLayout.INCOMPAT_FLAGS_POSITION);
    }

    /** Least bytes first under a highest byte that makes the offset none, then that byte. */
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
