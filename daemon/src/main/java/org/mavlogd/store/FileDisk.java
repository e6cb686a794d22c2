package org.mavlogd.store;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A directory of the file system; created with its parents when the first file is. */
public final class FileDisk implements Disk {
    private final Path directory;

    public FileDisk(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    @Override
    public String location() {
        return directory.toString();
    }

    @Override
    public Output create(String name) throws IOException {
        makeDirectory();
        FileChannel channel = FileChannel.open(resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new ChannelOutput(channel);
    }

    private void makeDirectory() throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            // To our caller that exception means a taken file name, which another name would help.
            FileSystemException inTheWay =
                    new FileSystemException(e.getFile(), null, "is in the way: it is not a directory");
            inTheWay.addSuppressed(e);
            throw inTheWay;
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Path target = resolve(to);
        // A rename replaces silently. Only the keeper names finished files, so nobody can take the name in between.
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
    public List<String> names() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName())).toList();
        }
    }

    @Override
    public long usableBytes() {
        Path existing = directory;
        while (!Files.exists(existing)) {
            Path parent = existing.getParent();
            if (parent == null) {
                return Long.MAX_VALUE;
            }
            existing = parent;
        }
        // Not by FileStore: that looks the directory up in the mount table, in which it is missing inside a chroot.
        // Some network and user space file systems tell nothing, that is 0 of 0.
        File place = existing.toFile();
        return place.getTotalSpace() > 0 ? place.getUsableSpace() : Long.MAX_VALUE;
    }

    private Path resolve(String name) {
        Path file = directory.resolve(name).normalize();
        if (!directory.equals(file.getParent())) {
            throw new IllegalArgumentException("not a plain file name: \"" + name + "\"");
        }
        return file;
    }

    private record ChannelOutput(FileChannel channel) implements Output {
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
