package org.mavlogd.ulog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A log in a file, with its own buffer.
 *
 * <p>Small writes are gathered; one as large as the buffer goes straight to the file. Closing flushes but does not
 * force. Owned by one thread. After an exception the sink refuses further writes: what reached the file is unknown.
 * Hot path: {@link #write} allocates nothing when given a direct buffer or a small one.
 */
public final class FileSink implements PatchableSink, Closeable {
    public static final int DEFAULT_BUFFER_BYTES = 64 * 1024;

    private final FileChannel channel;
    private final ByteBuffer buffer;
    private long flushed;
    private boolean failed;

    private FileSink(FileChannel channel, int bufferBytes) {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(bufferBytes);
    }

    /** Creates the file; one that exists is refused with {@link java.nio.file.FileAlreadyExistsException}. */
    public static FileSink create(Path path) throws IOException {
        return create(path, DEFAULT_BUFFER_BYTES);
    }

    /** As {@link #create(Path)}, gathering up to {@code bufferBytes} (1 at least). */
    public static FileSink create(Path path, int bufferBytes) throws IOException {
        if (bufferBytes < 1) {
            throw new IllegalArgumentException("buffer of " + bufferBytes + " bytes");
        }
        return new FileSink(
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), bufferBytes);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > buffer.remaining()) {
            flush();
        }
        if (bytes.remaining() >= buffer.capacity()) {
            writeThrough(bytes);
        } else {
            requireSound();
            buffer.put(bytes);
        }
    }

    @Override
    public long position() {
        return flushed + buffer.position();
    }

    @Override
    public void patch(long position, ByteBuffer bytes) throws IOException {
        checkPatch(position, bytes, position());
        flush();
        failed = true;
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        failed = false;
    }

    @Override
    public void flush() throws IOException {
        buffer.flip();
        writeThrough(buffer);
        buffer.clear();
    }

    @Override
    public void force() throws IOException {
        flush();
        failed = true;
        channel.force(false);
        failed = false;
    }

    /** Flushes and closes; the file is closed also when flushing fails. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (!failed && channel.isOpen()) {
                flush();
            }
        }
    }

    private void writeThrough(ByteBuffer bytes) throws IOException {
        requireSound();
        failed = true;
        while (bytes.hasRemaining()) {
            flushed += channel.write(bytes);
        }
        failed = false;
    }

    private void requireSound() {
        if (failed) {
            throw new IllegalStateException("an earlier write failed: the end of this file is unknown");
        }
    }

    /** What every patchable sink checks of a patch. */
    static void checkPatch(long position, ByteBuffer patch, long end) {
        if (position < 0 || position > end - patch.remaining()) {
            throw new IllegalArgumentException("patch of " + patch.remaining() + " bytes at " + position
                    + " is outside the " + end + " bytes written");
        }
    }
}
