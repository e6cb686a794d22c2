package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A disk of this computer on which chosen operations fail until it is healed. */
public final class FaultyDisk implements FetchDisk {
    /** The operations that can fail. */
    public enum Op {
        OPEN,
        WRITE,
        FORCE,
        LINK,
        MOVE,
        DELETE,
        MAKE_DIRECTORY
    }

    private record Fault(Op op, String name, String reason) {}

    private final List<Fault> faults = new ArrayList<>();
    private int hits;

    /** From now on this operation fails for files of this name. */
    public void fail(Op op, String name, String reason) {
        faults.add(new Fault(op, name, reason));
    }

    /** From now on no operation fails. */
    public void heal() {
        faults.clear();
    }

    /** Number of failed operations. */
    public int hits() {
        return hits;
    }

    private void check(Op op, Path file) throws IOException {
        for (Fault fault : faults) {
            if (fault.op() == op && String.valueOf(file.getFileName()).equals(fault.name())) {
                hits++;
                throw new IOException(fault.reason());
            }
        }
    }

    @Override
    public FileChannel open(Path file, OpenOption... options) throws IOException {
        check(Op.OPEN, file);
        return new Channel(FetchDisk.super.open(file, options), file);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        check(Op.MAKE_DIRECTORY, directory);
        FetchDisk.super.createDirectories(directory);
    }

    @Override
    public void link(Path link, Path existing) throws IOException {
        check(Op.LINK, link);
        FetchDisk.super.link(link, existing);
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        check(Op.MOVE, to);
        FetchDisk.super.move(from, to, options);
    }

    @Override
    public void delete(Path file) throws IOException {
        check(Op.DELETE, file);
        FetchDisk.super.delete(file);
    }

    private final class Channel extends FileChannel {
        private final FileChannel channel;
        private final Path file;

        Channel(FileChannel channel, Path file) {
            this.channel = channel;
            this.file = file;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            check(Op.WRITE, file);
            return channel.write(source);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            check(Op.WRITE, file);
            return channel.write(source, position);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            check(Op.WRITE, file);
            return channel.write(sources, offset, length);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            check(Op.FORCE, file);
            channel.force(metaData);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            return channel.read(targets, offset, length);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return channel.read(target, position);
        }

        @Override
        public long position() throws IOException {
            return channel.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            return channel.position(position);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            return channel.truncate(size);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            return channel.transferTo(position, count, target);
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
            return channel.transferFrom(source, position, count);
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
            return channel.map(mode, position, size);
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) throws IOException {
            return channel.lock(position, size, shared);
        }

        @Override
        public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return channel.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            channel.close();
        }
    }
}
