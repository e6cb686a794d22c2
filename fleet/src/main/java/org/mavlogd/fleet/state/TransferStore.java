package org.mavlogd.fleet.state;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transfers of all files to one target, in memory and in a small file for each, which is replaced atomically and
 * forced to disk. Owned by one thread; others may read the transfers in memory.
 *
 * <p>Notes of deleted logs are kept for {@value #KEPT_DAYS} days: a disk may only be missing for a while.
 */
public final class TransferStore {
    static final int KEPT_DAYS = 90;

    private static final String SUFFIX = ".transfer";
    private static final int MAX_BYTES = 64 << 10;
    private static final Logger LOG = LoggerFactory.getLogger(TransferStore.class);
    /** The transfer of a file without notes. */
    private static final Transfer NOTHING = Transfer.of(new Version(-1, -1), "");

    private final Path directory;
    private final Map<String, Transfer> known = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();

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

    /** The transfer of a file, from memory. Any thread. */
    public Transfer of(String name) {
        return known.getOrDefault(name, NOTHING);
    }

    /** Loads the notes of these files into memory, and removes those of all others from memory. */
    public void recall(Set<String> names) {
        names.forEach(name -> {
            if (!known.containsKey(name)) {
                known.put(name, noted(name));
            }
        });
        known.keySet().retainAll(names);
        changes.incrementAndGet();
    }

    /** Unreadable notes count as lost: the target is queried, and the other files are sent. */
    private Transfer noted(String name) {
        try {
            return read(name).orElse(NOTHING);
        } catch (IOException e) {
            LOG.warn("{}: the notes of {} cannot be read: {}", directory.getFileName(), name, e.toString());
            return NOTHING;
        }
    }

    /** Stores a transfer on disk, then in memory. */
    public void save(String name, Transfer transfer) throws IOException {
        write(name, transfer);
        put(name, transfer);
    }

    private void put(String name, Transfer transfer) {
        known.put(name, transfer);
        changes.incrementAndGet();
    }

    /** Number of changes of the transfers in memory. Any thread. */
    public long changes() {
        return changes.get();
    }

    /** Stores a failed transfer, in memory even if the disk fails. */
    public void note(String name, Transfer transfer) {
        put(name, transfer);
        try {
            write(name, transfer);
        } catch (IOException e) {
            LOG.warn("{}: the failure of {} cannot be noted: {}", directory.getFileName(), name, e.getMessage());
        }
    }

    /** Deletes old notes of files that are not in memory. */
    public void forgetOld(long nowMs) throws IOException {
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path note : notes) {
                String file = String.valueOf(note.getFileName());
                boolean isOld = nowMs - Files.getLastModifiedTime(note).toMillis() > TimeUnit.DAYS.toMillis(KEPT_DAYS);
                if (isOld && !known.containsKey(file.substring(0, file.length() - SUFFIX.length()))) {
                    Files.deleteIfExists(note);
                }
            }
        }
    }
}
