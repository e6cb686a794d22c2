package org.mavlogd.ulog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A sink for a file, with its own buffer.
 *
 * <p>Small writes are buffered; a write as large as the buffer goes straight to the file. Closing flushes but does not
 * force. After an exception the contents of the file are unknown, and the sink refuses further writes. {@link #write}
 * allocates nothing if it is given a direct or a small buffer. Owned by one thread.
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

    /** Creates the file. Throws {@link java.nio.file.FileAlreadyExistsException} if it exists. */
    public static FileSink create(Path path) throws IOException {
        return create(path, DEFAULT_BUFFER_BYTES);
    }

    /** Creates the file, like {@link #create(Path)}, with a buffer of {@code bufferBytes}, at least 1. */
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

    /** Flushes and closes. The file is closed even if flushing fails. */
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

    /** Checks that a patch lies within the bytes written so far. */
    static void checkPatch(long position, ByteBuffer patch, long end) {
        if (position < 0 || position > end - patch.remaining()) {
            throw new IllegalArgumentException("patch of " + patch.remaining() + " bytes at " + position
                    + " is outside the " + end + " bytes written");
        }
    }
}
