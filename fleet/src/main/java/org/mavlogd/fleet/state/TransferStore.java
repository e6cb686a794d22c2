package org.mavlogd.fleet.state;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The notes about all files at one target: a small file for each, replaced atomically and forced. Owned by one thread.
 *
 * <p>Notes of logs that are gone stay for {@value #KEPT_DAYS} days: a disk may only be missing for a while.
 */
public final class TransferStore {
    static final int KEPT_DAYS = 90;

    private static final String SUFFIX = ".transfer";
    private static final int MAX_BYTES = 64 << 10;

    private final Path directory;

    public TransferStore(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /** Empty if there are no notes, or none that can be understood: then the target is asked. */
    public Optional<Transfer> read(String name) throws IOException {
        return DurableFile.read(directory.resolve(name + SUFFIX), MAX_BYTES).flatMap(Transfer::parse);
    }

    public void write(String name, Transfer transfer) throws IOException {
        DurableFile.write(directory.resolve(name + SUFFIX), transfer.toText());
    }

    /** Deletes old notes of files that are not among those. */
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
