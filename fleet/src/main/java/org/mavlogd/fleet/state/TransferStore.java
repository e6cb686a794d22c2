package org.mavlogd.fleet.state;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The transfers of all files to one target: a small file for each, replaced atomically and forced to disk. Owned by one
 * thread.
 *
 * <p>Notes of deleted logs are kept for {@value #KEPT_DAYS} days: a disk may only be missing for a while.
 */
public final class TransferStore {
    static final int KEPT_DAYS = 90;

    private static final String SUFFIX = ".transfer";
    private static final int MAX_BYTES = 64 << 10;

    private final Path directory;

    public TransferStore(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /** The transfer of a file; empty if there is none or it is unreadable: then the target is queried. */
    public Optional<Transfer> read(String name) throws IOException {
        return DurableFile.read(directory.resolve(name + SUFFIX), MAX_BYTES).flatMap(Transfer::parse);
    }

    public void write(String name, Transfer transfer) throws IOException {
        DurableFile.write(directory.resolve(name + SUFFIX), transfer.toText());
    }

    /** Deletes old notes of other files than these. */
    public void forgetBut(Set<String> names, long nowMs) throws IOException {
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path note : notes) {
                String file = String.valueOf(note.getFileName());
                boolean isOld = nowMs - Files.getLastModifiedTime(note).toMillis() > TimeUnit.DAYS.toMillis(KEPT_DAYS);
                if (isOld && !names.contains(file.substring(0, file.length() - SUFFIX.length()))) {
                    Files.deleteIfExists(note);
                }
            }
        }
    }
}
