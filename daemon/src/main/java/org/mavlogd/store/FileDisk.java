package org.mavlogd.store;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A directory of the file system; created with its parents when the first file is created. */
public final class FileDisk implements Disk {
    private static final String ASIDE_SUFFIX = ".new";
    private static final String PROBE = ".probe";

    private final Path directory;
    private final LongConsumer writeNs;
    private final WriteLocks locks;

    public FileDisk(Path directory) {
        this(directory, ns -> {});
    }

    /** @param writeNs receives the duration of each write to a file being written */
    public FileDisk(Path directory, LongConsumer writeNs) {
        this.directory = directory.toAbsolutePath().normalize();
        this.writeNs = writeNs;
        this.locks = WriteLocks.of(this.directory);
    }

    @Override
    public String location() {
        return directory.toString();
    }

    @Override
    public Output create(String name) throws IOException {
        makeDirectory();
        FileChannel channel = FileChannel.open(resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return growing(name, channel);
    }

    private void makeDirectory() throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            // To the caller FileAlreadyExistsException means a taken file name, and that it must try another one.
            FileSystemException inTheWay = new FileSystemException(e.getFile(), null, "exists and is not a directory");
            inTheWay.addSuppressed(e);
            throw inTheWay;
        }
    }

    @Override
    public Output grow(String name, long length) throws IOException {
        FileChannel channel = FileChannel.open(resolve(name), StandardOpenOption.WRITE);
        try {
            channel.truncate(length).position(length);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return growing(name, channel);
    }

    @Override
    public Access open(String name) throws IOException {
        return new ChannelAccess(FileChannel.open(resolve(name), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public void replace(String name, ByteBuffer content) throws IOException {
        makeDirectory();
        Path target = resolve(name);
        Path aside = resolve(name + ASIDE_SUFFIX);
        try (FileChannel channel = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
        }
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void probe() throws IOException {
        makeDirectory();
        Path file = resolve(PROBE);
        Files.deleteIfExists(file); // of a run that was killed
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {0}));
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(resolve(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Path target = resolve(to);
        // A rename silently replaces an existing file. Only the keeper gives files their final names, so nobody takes
        // the name in between.
        if (Files.exists(target)) {
            throw new FileAlreadyExistsException(target.toString());
        }
        Files.move(resolve(from), target);
        forceNames();
    }

    @Override
    public void forceNames() throws IOException {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // closed with the entries
    public Entries entries() throws IOException {
        return Files.isDirectory(directory) ? new PathEntries(Files.newDirectoryStream(directory)) : Entries.NONE;
    }

    @Override
    public boolean exists(String name) {
        return Files.isRegularFile(resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    private static final class PathEntries implements Entries {
        private final DirectoryStream<Path> stream;
        private final Iterator<Path> paths;

        PathEntries(DirectoryStream<Path> stream) {
            this.stream = stream;
            this.paths = stream.iterator();
        }

        @Override
        public @Nullable Entry next() throws IOException {
            try {
                while (paths.hasNext()) {
                    Path path = paths.next();
                    // Links are not followed: their targets do not belong to the directory.
                    BasicFileAttributes attributes = attributes(path);
                    String name = String.valueOf(path.getFileName());
                    if (attributes != null && attributes.isRegularFile() && !name.equals(WriteLocks.FILE)) {
                        return new Entry(name, attributes.size());
                    }
                }
                return null;
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    /** Null if the file was deleted meanwhile. */
    private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void peek(String name, long position, ByteBuffer target) throws IOException {
        // Opened without write permission: everyone who may read logs may list them.
        try (FileChannel channel =
                FileChannel.open(resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            new ChannelAccess(channel).read(position, target);
        }
    }

    @Override
    public long usableBytes() {
        // Not with FileStore, which looks the directory up in the mount table, where it is missing inside a chroot.
        // Some network and user space file systems report 0 of 0 bytes, which means unknown.
        File place = existingPlace();
        return place.getTotalSpace() > 0 ? place.getUsableSpace() : Long.MAX_VALUE;
    }

    @Override
    public long totalBytes() {
        long total = existingPlace().getTotalSpace();
        return total > 0 ? total : Long.MAX_VALUE;
    }

    /** The directory; while it is missing, the one in which it will be created. */
    private File existingPlace() {
        Path existing = directory;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing.toFile();
    }

    /** Whether a running program writes the file. */
    public boolean isGrowing(String name) {
        return locks.isLocked(name);
    }

    /** The time of the last write to the file. */
    public Instant lastWrite(String name) throws IOException {
        return Files.getLastModifiedTime(resolve(name), LinkOption.NOFOLLOW_LINKS)
                .toInstant();
    }

    private ChannelOutput growing(String name, FileChannel channel) {
        return new ChannelOutput(channel, name.endsWith(LogKind.PART) ? locks.lock(name) : null, writeNs);
    }

    private Path resolve(String name) {
        Path file = directory.resolve(name).normalize();
        if (!directory.equals(file.getParent())) {
            throw new IllegalArgumentException("not a plain file name: \"" + name + "\"");
        }
        return file;
    }

    /** @param lock shows other programs that the file is being written; null if there are no locks */
    private record ChannelOutput(FileChannel channel, WriteLocks.@Nullable Held lock, LongConsumer writeNs)
            implements Output {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            long beginNs = System.nanoTime(); // real time, which tests do not replace
            int begin = bytes.position();
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                takeBack(bytes.position() - begin, e);
                throw e;
            }
            writeNs.accept(System.nanoTime() - beginNs);
        }

        /** A disk that becomes full takes the first part of a write, which may end amid a message. */
        private void takeBack(int written, IOException failure) {
            try {
                channel.truncate(channel.position() - written);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }

        @Override
        public void rewrite(long position, ByteBuffer bytes) throws IOException {
            long beginNs = System.nanoTime();
            writeAll(channel, position, bytes);
            writeNs.accept(System.nanoTime() - beginNs);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            try (lock) {
                channel.close();
            }
        }
    }

    private static void writeAll(FileChannel channel, long position, ByteBuffer source) throws IOException {
        long at = position;
        while (source.hasRemaining()) {
            at += channel.write(source, at);
        }
    }

    private record ChannelAccess(FileChannel channel) implements Access {
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
            writeAll(channel, position, source);
        }

        @Override
        public void truncate(long length) throws IOException {
            channel.truncate(length);
        }

        @Override
        public void force() throws IOException {
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
