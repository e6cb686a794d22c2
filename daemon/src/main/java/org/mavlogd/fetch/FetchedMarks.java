package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Which of the logs that the recorder fetched are never to be deleted: an empty file {@code NAME.keep} beside a log says so, as it
 * does for recorded logs. Any program may make it.
 */
public final class FetchedMarks {
    private static final String KEEP = ".keep";

    private final Path directory;

    /** @param directory of the fetched logs */
    public FetchedMarks(Path directory) {
        this.directory = directory;
    }

    /** Whether the recorder calls a fetched log so. */
    public static boolean isName(String name) {
        return FetchedLogName.isWithLength(name);
    }

    boolean isKept(String name) {
        return Files.exists(directory.resolve(name + KEEP), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Marks a log; false when it was marked before.
     *
     * @throws NoSuchFileException when there is no such log
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
            // Deleted in the moment before the mark was there.
            Files.deleteIfExists(directory.resolve(name + KEEP));
            throw new NoSuchFileException(log.toString());
        }
        return isNew;
    }

    /**
     * Takes the mark away; false when there was none.
     *
     * @throws NoSuchFileException when there is no such log, and no mark of it
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
