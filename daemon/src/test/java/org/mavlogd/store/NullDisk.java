package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;

/** A disk that accepts everything, keeps nothing and allocates only its file objects. */
public final class NullDisk implements Disk {
    private long bytes;

    /** Number of bytes accepted. */
    public long bytes() {
        return bytes;
    }

    @Override
    public String location() {
        return "nowhere";
    }

    @Override
    public Output create(String name) {
        return new Output() {
            @Override
            public void write(ByteBuffer source) {
                bytes += source.remaining();
                source.position(source.limit());
            }

            @Override
            public void rewrite(long position, ByteBuffer bytes) {
                bytes.position(bytes.limit());
            }

            @Override
            public void force() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public Output grow(String name, long length) throws IOException {
        throw new NoSuchFileException(name);
    }

    @Override
    public Access open(String name) throws IOException {
        throw new NoSuchFileException(name);
    }

    @Override
    public void replace(String name, ByteBuffer content) {}

    @Override
    public void delete(String name) {}

    @Override
    public void rename(String from, String to) {}

    @Override
    public void forceNames() {}

    @Override
    public Entries entries() {
        return Entries.NONE;
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }
}
