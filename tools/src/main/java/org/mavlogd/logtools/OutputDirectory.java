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
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A directory that is created when needed and deleted again if it stays empty, like its new parents. Its files have
 * names from a log, which cannot form paths.
 */
public final class OutputDirectory implements Closeable {
    private static final int MAX_LENGTH = 100;

    // Devices on Windows, even with an extension: disks are moved between computers.
    private static final Pattern DEVICE = Pattern.compile("(?i)con|prn|aux|nul|com[0-9]|lpt[0-9]");

    private final Path path;
    private final Set<String> taken = new HashSet<>();

    /** Directories that we created, the innermost first. */
    private final Deque<Path> made = new ArrayDeque<>();

    public OutputDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates the directory, and returns the path of a file in it that is unique in this run: letters, digits, {@code
     * _} and {@code -} of the name, and a number if that is taken. Names are compared ignoring case, as some file
     * systems do. {@code _} is appended to the name of a device.
     *
     * @param ending of the name, kept unchanged
     * @param extension including its dot
     */
    public Path file(String name, String ending, String extension) throws IOException {
        make();
        String safe = name.replaceAll("[^A-Za-z0-9_-]", "_");
        String base = safe.substring(0, Math.min(safe.length(), MAX_LENGTH)) + ending;
        base = DEVICE.matcher(base).matches() ? base + "_" : base;
        String unique = base + extension;
        for (int i = 2; !taken.add(unique.toLowerCase(Locale.ROOT)); i++) {
            unique = base + "-" + i + extension;
        }
        return path.resolve(unique);
    }

    private void make() throws IOException {
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
            return; // created by somebody else meanwhile: not ours to delete
        }
        made.push(directory);
        // For a process that is terminated. The files in it, registered later, are deleted first.
        directory.toFile().deleteOnExit();
    }

    /** Deletes the created directories that are empty. */
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
