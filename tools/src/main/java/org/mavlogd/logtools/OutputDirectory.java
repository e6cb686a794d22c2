package org.mavlogd.logtools;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** A directory that is made when needed, and goes again if nothing was put into it; so do those above it. */
final class OutputDirectory implements Closeable {
    private final Path path;

    /** Made by us, the innermost first. */
    private final Deque<Path> made = new ArrayDeque<>();

    OutputDirectory(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    void make() throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        Deque<Path> missing = new ArrayDeque<>();
        for (Path at = path.toAbsolutePath(); at != null && !Files.exists(at); at = at.getParent()) {
            missing.push(at);
        }
        try {
            for (Path directory : missing) {
                makeOne(directory);
            }
        } catch (FileAlreadyExistsException e) {
            throw new NotDirectoryException(path.toString());
        }
        if (!Files.isDirectory(path)) {
            throw new NotDirectoryException(path.toString());
        }
    }

    private void makeOne(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
            return; // by somebody else, meanwhile: not ours to delete
        }
        made.push(directory);
        // If the process is told to end. The files in it, registered later, are deleted before.
        directory.toFile().deleteOnExit();
    }

    /** Deletes what was made, as far as it is empty. */
    @Override
    public void close() throws IOException {
        while (!made.isEmpty()) {
            try {
                Files.deleteIfExists(made.pop());
            } catch (DirectoryNotEmptyException inUse) {
                made.clear();
            }
        }
    }
}
