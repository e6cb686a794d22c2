package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Adds a section of messages to a finished or cut log, by the flag bits procedure: crash data.
 *
 * <p>Messages are gathered in memory, at most {@link #MAX_SECTION_BYTES}; {@link #appendTo} writes them. A log takes
 * three sections. Refused with {@link ULogException}, the file untouched: no ULog, no flag bits, incompatible flags
 * not known, all three sections used.
 *
 * <p>A crash at any byte leaves a log whose former contents are read as before: the section's offset is written
 * first, one high byte keeping it beyond every file until it is complete; then the flag; then, all that durable, the
 * messages. Until those are there the section is empty; a message cut by the crash is one cut at the log's end.
 *
 * <p>Owned by one thread. The file must not be written by anyone else meanwhile.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Flag Bits Message"</a>
 */
public final class ULogAppender {
    /** What one section can hold. */
    public static final int MAX_SECTION_BYTES = 16 << 20;

    /** The name that PX4 gives to the text of a crash. */
    public static final String CRASH_TEXT_NAME = "hardfault_plain";

    /** As the highest byte it puts an offset behind the end of any file, also as a signed number. */
    private static final byte INCOMPLETE = 0x7F;

    private static final int SLOTS_END =
            ULogLayout.APPENDED_OFFSETS_POSITION + ULogLayout.MAX_APPENDED_SECTIONS * Long.BYTES;

    private final MemorySink section = new MemorySink();
    private final ByteBuffer message =
            ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    /** An empty section. */
    public ULogAppender() {}

    /** Adds a text as PX4 does for a crash: {@code hardfault_plain} messages, continued as often as needed. */
    public ULogAppender crashText(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("'M' message \"" + CRASH_TEXT_NAME + "\": a text is not empty");
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int limit = MessageEncoder.maxMultiInfoText(CRASH_TEXT_NAME);
        int length;
        for (int at = 0; at < utf8.length; at += length) {
            length = Utf8.cut(utf8, at, utf8.length, limit);
            MessageEncoder.multiInfoText(message, at > 0, CRASH_TEXT_NAME, utf8, at, length);
            gather();
        }
        return this;
    }

    /** Adds an 'L' message; the text is not empty. */
    public ULogAppender loggedString(LogLevel level, long timestampUs, CharSequence text) {
        WriterRules.checkLogged("'L' message", text);
        MessageEncoder.loggedString(message, level, timestampUs, text);
        gather();
        return this;
    }

    /** Adds a 'C' message; the tag is 0 to 65535, the text not empty. */
    public ULogAppender taggedString(LogLevel level, int tag, long timestampUs, CharSequence text) {
        WriterRules.checkLogged("'C' message", text);
        MessageEncoder.taggedString(message, level, tag, timestampUs, text);
        gather();
        return this;
    }

    /** Adds any message that may stand in the data section, its payload as it is. */
    public ULogAppender message(byte type, byte[] payload, int offset, int length) {
        if (!MessageType.isDataSection(type)) {
            throw new IllegalArgumentException("message '" + (char) type + "' has no place in the data section");
        }
        MessageEncoder.message(message, type, payload, offset, length);
        gather();
        return this;
    }

    /** How many sections a log has and can take; any file can be asked, also one that is no log. */
    public static SectionCount sections(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            return sections(new ChannelFile(channel));
        }
    }

    /** As {@link #sections(Path)}; only reads. */
    public static SectionCount sections(AppendFile file) throws IOException {
        ByteBuffer head;
        try {
            head = readHead(file);
        } catch (ULogException noPlace) {
            return SectionCount.NONE;
        }
        long end = file.length();
        int free = 0;
        for (int slot = ULogLayout.APPENDED_OFFSETS_POSITION; slot < SLOTS_END; slot += Long.BYTES) {
            free += isFree(head, slot, end) ? 1 : 0;
        }
        return new SectionCount(ULogLayout.MAX_APPENDED_SECTIONS - free, free);
    }

    /** Writes what was gathered as a new section of the log, and forces it. The gathered stays: for another log. */
    public void appendTo(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            appendTo(new ChannelFile(channel));
        }
    }

    /** As {@link #appendTo(Path)}. */
    public void appendTo(AppendFile file) throws IOException {
        if (section.position() == 0) {
            throw new IllegalStateException("nothing to append");
        }
        ByteBuffer head = readHead(file);
        long end = file.length();
        int slot = freeSlot(head, end);
        for (int other = slot + Long.BYTES; other < SLOTS_END; other += Long.BYTES) {
            if (head.getLong(other) != 0 && isFree(head, other, end)) {
                writeOffset(file, other, 0);
            }
        }
        writeOffset(file, slot, end);
        byte flags = head.get(ULogLayout.INCOMPAT_FLAGS_POSITION);
        put(file, ULogLayout.INCOMPAT_FLAGS_POSITION, (byte) (flags | ULogLayout.INCOMPAT_DATA_APPENDED));
        // The offset must be on the medium before the messages: after a cut message they are only found by it.
        file.force();
        file.write(end, ByteBuffer.wrap(section.toByteArray()));
        file.force();
    }

    /** Least bytes first under a highest byte that makes the offset none, then that byte. */
    private static void writeOffset(AppendFile file, int slot, long offset) throws IOException {
        int highest = slot + Long.BYTES - 1;
        put(file, highest, INCOMPLETE);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(offset).flip().limit(Long.BYTES - 1);
        file.write(slot, bytes);
        put(file, highest, (byte) (offset >>> 56));
    }

    private static void put(AppendFile file, int position, byte value) throws IOException {
        file.write(position, ByteBuffer.wrap(new byte[] {value}));
    }

    private static ByteBuffer readHead(AppendFile file) throws IOException {
        int length = ULogLayout.HEADER_LENGTH + MessageEncoder.FLAG_BITS_LENGTH;
        ByteBuffer head = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        file.read(0, head);
        if (head.position() < ULogLayout.HEADER_LENGTH) {
            throw new ULogException("not a ULog: " + head.position() + " bytes, its header has 16");
        }
        byte[] bytes = new byte[length];
        head.get(0, bytes);
        FileHeader.requireMagic(bytes, 0);
        int flagBits = ULogLayout.FLAG_BITS_POSITION;
        boolean present = head.position() == length
                && bytes[flagBits + ULogLayout.MESSAGE_TYPE_OFFSET] == MessageType.FLAG_BITS
                && Bytes.uint16(bytes, flagBits) >= ULogLayout.FLAG_BITS_SIZE
                && flagBits + ULogLayout.MESSAGE_HEADER_LENGTH + Bytes.uint16(bytes, flagBits) <= file.length();
        if (!present) {
            throw new ULogException(
                    "the log has no whole flag bits with room for an offset: nothing can be appended to it");
        }
        FlagBits.read(bytes, flagBits + ULogLayout.MESSAGE_HEADER_LENGTH, ULogLayout.FLAG_BITS_SIZE);
        return head;
    }

    private static int freeSlot(ByteBuffer head, long end) throws ULogException {
        for (int slot = ULogLayout.APPENDED_OFFSETS_POSITION; slot < SLOTS_END; slot += Long.BYTES) {
            if (isFree(head, slot, end)) {
                return slot;
            }
        }
        throw new ULogException("all three appended sections of the log are used");
    }

    /** Its offset is 0, or left by a crash: behind the end, or under no flag. It must not come to mean our section. */
    private static boolean isFree(ByteBuffer head, int slot, long end) {
        boolean flagged = (head.get(ULogLayout.INCOMPAT_FLAGS_POSITION) & ULogLayout.INCOMPAT_DATA_APPENDED) != 0;
        long offset = head.getLong(slot);
        return !flagged || offset == 0 || Long.compareUnsigned(offset, end) >= 0;
    }

    private void gather() {
        if (section.position() + message.position() > MAX_SECTION_BYTES) {
            message.clear();
            throw new IllegalStateException("a section of more than " + MAX_SECTION_BYTES + " bytes");
        }
        section.write(message.flip());
        message.clear();
    }

    private record ChannelFile(FileChannel channel) implements AppendFile {
        @Override
        public long length() throws IOException {
            return channel.size();
        }

        @Override
        public void read(long position, ByteBuffer target) throws IOException {
            long at = position;
            int count;
            while (target.hasRemaining() && (count = channel.read(target, at)) >= 0) {
                at += count;
            }
        }

        @Override
        public void write(long position, ByteBuffer source) throws IOException {
            long at = position;
            while (source.hasRemaining()) {
                at += channel.write(source, at);
            }
        }

        @Override
        public void truncate(long length) throws IOException {
            channel.truncate(length);
        }

        @Override
        public void force() throws IOException {
            channel.force(true);
        }
    }
}
