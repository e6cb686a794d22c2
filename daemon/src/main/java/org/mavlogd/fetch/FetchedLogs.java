package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The logs that the recorder fetched from vehicles, for other parts and programs: lists them, marks logs that must
 * never be deleted, and deletes logs. An empty file {@code NAME.keep} beside a log marks it, as for recorded logs. Any
 * program may create it.
 */
public final class FetchedLogs {
    private static final String KEEP = ".keep";

    private final Path directory;

    /**
     * A fetched log.
     *
     * @param begin UTC as reported by its vehicle; empty if it is not
     * @param isWhole false if some of it is missing
     */
    public record Log(
            String name,
            int systemId,
            Optional<Instant> begin,
            long bytes,
            Optional<Instant> lastWrite,
            boolean isKept,
            boolean isWhole) {}

    /** @param directory of the fetched logs */
    public FetchedLogs(Path directory) {
        this.directory = directory;
    }

    /** All of them in the order of their names; none if there is no directory. */
    public List<Log> logs() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Log> logs = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = FetchedRoom.whole(String.valueOf(file.getFileName()));
                if (isName(name)) {
                    look(file, name).ifPresent(logs::add);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        logs.sort(Comparator.comparing(Log::name).thenComparing(Log::isWhole));
        return logs;
    }

    private Optional<Log> look(Path file, String name) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.isRegularFile()
                    ? Optional.of(new Log(
                            name,
                            FetchedLogName.systemId(name),
                            FetchedLogName.begin(name),
                            attributes.size(),
                            Optional.of(attributes.lastModifiedTime().toInstant()),
                            isKept(name),
                            !FetchedRoom.isPart(String.valueOf(file.getFileName()))))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty(); // deleted meanwhile
        }
    }

    /** The path of a log. */
    public Path path(String name) throws NoSuchFileException {
        return log(name);
    }

    /** The size of a log's file; 0 if there is none. */
    public long bytes(String name) {
        return isName(name) ? directory.resolve(name).toFile().length() : 0;
    }

    /**
     * Deletes a complete log.
     *
     * @throws FileSystemException if there is none, or it is kept
     */
    public void delete(String name) throws IOException {
        Path log = log(name);
        if (isKept(name)) {
            throw new FileSystemException(log.toString(), null, "is kept");
        }
        Files.delete(log);
    }

    /** Whether this is the name of a fetched log. */
    public static boolean isName(String name) {
        return FetchedLogName.isWithLength(name);
    }

    public boolean isKept(String name) {
        return Files.exists(directory.resolve(name + KEEP), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Marks a log; false if it was marked before.
     *
     * @throws NoSuchFileException if there is no such log
     */
    public boolean keep(String name) throws IOException {
        Path log = log(name);
        boolean isNew = true;
        try {
            Files.createFile(directory.resolve(name + KEEP));
        } catch (FileAlreadyExistsException e) {
            isNew = false;
        }
        if (!Files.exists(log)) {
            // It was deleted just before the mark was made.
            Files.deleteIfExists(directory.resolve(name + KEEP));
            throw new NoSuchFileException(log.toString());
        }
        return isNew;
    }

    /**
     * Removes the mark; false if there was none.
     *
     * @throws NoSuchFileException if there is no such log, and no mark of it
     */
    public boolean unkeep(String name) throws IOException {
        boolean wasKept = Files.deleteIfExists(directory.resolve(name + KEEP));
        if (!wasKept) {
            log(name);
        }
        return wasKept;
    }

    private Path log(String name) throws NoSuchFileException {
        Path log = directory.resolve(name);
        if (!isName(name) || !Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(log.toString());
        }
        return log;
    }
}
