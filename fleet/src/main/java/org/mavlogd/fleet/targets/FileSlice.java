package org.mavlogd.fleet.targets;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A part of a file as a stream, limited by its throttle. A file shorter than expected is an error. */
final class FileSlice extends InputStream {
    /** Maximum bytes of a read, for which the throttle waits at once: 1 s at 64 kB/s. */
    private static final int MAX_READ = 64 << 10;

    private final FileChannel channel;
    private final Throttle throttle;
    private final long end;
    private long position;

    FileSlice(Path file, long from, long length, Throttle throttle) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        this.throttle = throttle;
        this.position = from;
        this.end = from + length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (position >= end) {
            return -1;
        }
        int wanted = (int) Math.min(Math.min(length, MAX_READ), end - position);
        throttle.pass(wanted);
        int count = channel.read(ByteBuffer.wrap(target, offset, wanted), position);
        if (count < 0) {
            throw new EOFException("the file became shorter while it was sent");
        }
        position += count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(end - position, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
