package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Appends a section of messages, such as crash data, to a finished or truncated log, as the flag bits of the format
 * provide for.
 *
 * <p>Messages are gathered in memory, at most {@link #MAX_SECTION_BYTES}; {@link #appendTo} writes them. A log can take
 * three sections. A file that is not a ULog, has no flag bits or unknown incompatible flags, or has three sections
 * already is refused with {@link ULogException} and not changed.
 *
 * <p>After a crash at any byte the former contents of the log are read as before. The appender first writes the offset
 * of the section, whose highest byte makes it larger than any file until it is complete; then the flag; and once both
 * are on disk, the messages. Until then the section is empty. A message that the crash cut off is like one at the end
 * of a truncated log.
 *
 * <p>If writing fails, as on a full disk, the appender restores the log: it truncates the file to its former length,
 * then takes back the offset and the flag. If the device refuses that too, an unfinished section remains; the next
 * attempt replaces it if no byte of it was written.
 *
 * <p>Owned by one thread. Nobody else may write to the file meanwhile.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Flag Bits Message"</a>
 */
public final class ULogAppender {
    /** Most bytes of one section. */
    public static final int MAX_SECTION_BYTES = 16 << 20;

    /** The info in which PX4 stores the text of a crash. */
    public static final String CRASH_TEXT_NAME = "hardfault_plain";

    private final MemorySink section = new MemorySink();
    private final ByteBuffer message =
            ByteBuffer.allocate(ULogLayout.MAX_MESSAGE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    /** Creates an empty section. */
    public ULogAppender() {}

    /** Adds a crash text as PX4 does: as {@code hardfault_plain} messages, as many as the text needs. */
    public ULogAppender crashText(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("'M' message \"" + CRASH_TEXT_NAME + "\": a text is not empty");
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length;
        for (int at = 0; at < utf8.length; at += length) {
            length = MessageEncoder.multiInfoPiece(CRASH_TEXT_NAME, utf8, at);
            MessageEncoder.multiInfoText(message, at > 0, CRASH_TEXT_NAME, utf8, at, length);
            gather();
        }
        return this;
    }

    /** Adds a logged string 'L'; the text is not empty. */
    public ULogAppender loggedString(LogLevel level, long timestampUs, CharSequence text) {
        WriterRules.checkLogged("'L' message", text);
        MessageEncoder.loggedString(message, level, timestampUs, text);
        gather();
        return this;
    }

    /** Adds a tagged logged string 'C'; the tag is 0 to 65535, the text not empty. */
    public ULogAppender taggedString(LogLevel level, int tag, long timestampUs, CharSequence text) {
        WriterRules.checkLogged("'C' message", text);
        MessageEncoder.taggedString(message, level, tag, timestampUs, text);
        gather();
        return this;
    }

    /** Adds any message that may occur in the data section. */
    public ULogAppender message(byte type, byte[] payload, int offset, int length) {
        if (!MessageType.isDataSection(type)) {
            throw new IllegalArgumentException("message '" + (char) type + "' has no place in the data section");
        }
        MessageEncoder.message(message, type, payload, offset, length);
        gather();
        return this;
    }

    /** Counts the used and the free sections of a file, which need not be a log. */
    public static SectionCount sections(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            return sections(new ChannelFile(channel));
        }
    }

    /** Like {@link #sections(Path)}; only reads. */
    public static SectionCount sections(AppendFile file) throws IOException {
        try {
            return AppendHead.read(file).sections();
        } catch (ULogException noPlace) {
            return SectionCount.NONE;
        }
    }

    /**
     * Appends the gathered messages to the log as a new section, and forces it to disk. They are kept and can be
     * appended to another log.
     */
    public void appendTo(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            appendTo(new ChannelFile(channel));
        }
    }

    /** Like {@link #appendTo(Path)}. */
    public void appendTo(AppendFile file) throws IOException {
        if (section.position() == 0) {
            throw new IllegalStateException("nothing to append");
        }
        AppendHead head = AppendHead.read(file);
        int slot = head.freeSlot();
        try {
            // The offset must be on disk before the messages: after a truncated message they are only found by it.
            head.claim(slot);
            file.write(head.end, ByteBuffer.wrap(section.toByteArray()));
            file.force();
        } catch (IOException | RuntimeException failure) {
            undo(file, head, slot, failure);
            throw failure;
        }
    }

    /**
     * Cuts off the messages, durably, before it removes the offset: without it they would become part of the data
     * before them.
     */
    private static void undo(AppendFile file, AppendHead head, int slot, Exception failure) {
        try {
            file.truncate(head.end);
            file.force();
            head.release(slot);
        } catch (IOException | RuntimeException another) {
            failure.addSuppressed(another);
        }
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
