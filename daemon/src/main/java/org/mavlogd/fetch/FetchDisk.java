package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Disk operations of fetching; tests make them fail. */
public interface FetchDisk {
    /** The disks of this computer. */
    FetchDisk REAL = new FetchDisk() {};

    default FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, options);
    }

    default void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory);
    }

    default void link(Path link, Path existing) throws IOException {
        Files.createLink(link, existing);
    }

    default void move(Path from, Path to, CopyOption... options) throws IOException {
        Files.move(from, to, options);
    }

    /** Deletes a file if it exists. */
    default void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }
}
