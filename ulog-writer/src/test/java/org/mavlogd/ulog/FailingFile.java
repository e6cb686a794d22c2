package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A file in memory that loses power after a number of bytes. */
final class FailingFile implements AppendFile {
    private byte[] bytes;
    private int left;

    FailingFile(byte[] bytes, int left) {
        this.bytes = bytes.clone();
        this.left = left;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public void read(long position, ByteBuffer target) {
        target.put(bytes, (int) position, (int) Math.min(target.remaining(), bytes.length - position));
    }

    @Override
    public void write(long position, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            if (left-- == 0) {
                throw new IOException("power lost");
            }
            if (position == bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length + 1);
            }
            bytes[(int) position++] = source.get();
        }
    }

    @Override
    public void truncate(long length) {
        bytes = Arrays.copyOf(bytes, (int) length);
    }

    @Override
    public void force() {}
}
