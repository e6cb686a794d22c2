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
 * <p>If writing fails, as on a full disk, the log is made what it was: cut to its former length, then the offset and
 * the flag are taken back. Only a device that refuses that, too, leaves a begun section; the next attempt takes its
 * place if no byte of it was written.
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
        int length;
        for (int at = 0; at < utf8.length; at += length) {
            length = MessageEncoder.multiInfoPiece(CRASH_TEXT_NAME, utf8, at);
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

    /** Adds any message that may are in the data section, its payload as it is. */
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
        try {
            return AppendHead.read(file).sections();
        } catch (ULogException noPlace) {
            return SectionCount.NONE;
        }
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
        AppendHead head = AppendHead.read(file);
        int slot = head.freeSlot();
        try {
            // The offset must be on disk before the messages: after a cut message they are only found by it.
            head.claim(slot);
            file.write(head.end, ByteBuffer.wrap(section.toByteArray()));
            file.force();
        } catch (IOException | RuntimeException failure) {
            undo(file, head, slot, failure);
            throw failure;
        }
    }

    /** First the messages go, durably, then the offset: without it they would count as part of what is before them. */
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
