package org.mavlogd.lake;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An operating system's lock on a lake. Queries share it; a change holds it exclusively while files are moved to their
 * places, so that {@code lake query} never sees half a change. Closing releases the lock.
 */
final class LakeReaders implements Closeable {
    private static final String FILE = "readers";
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final FileChannel file;

    private LakeReaders(FileChannel file) {
        this.file = file;
    }

    private static Path file(Path lake) {
        return lake.resolve(LakeFiles.OWN).resolve(FILE);
    }

    /**
     * Locks for a query, after waiting for a change; empty if no lock is possible, as in a lake that only others may
     * write.
     */
    static Optional<LakeReaders> begin(Path lake) {
        try {
            return Optional.of(await(FileChannel.open(file(lake), StandardOpenOption.READ), true));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Locks for a change, after waiting at most 10 s for queries, since a pager may hold one forever. */
    static LakeReaders awaitEnd(Path lake) throws IOException {
        FileChannel file = FileChannel.open(file(lake), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return await(file, false);
    }

    private static LakeReaders await(FileChannel file, boolean isShared) throws IOException {
        long beganNs = System.nanoTime();
        boolean isLocked = false;
        while (!isLocked && System.nanoTime() - beganNs < PATIENCE_NS) {
            try {
                isLocked = file.tryLock(0, Long.MAX_VALUE, isShared) != null;
            } catch (OverlappingFileLockException e) {
                // Another thread of this process has it.
            }
            if (!isLocked) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        return new LakeReaders(file);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
