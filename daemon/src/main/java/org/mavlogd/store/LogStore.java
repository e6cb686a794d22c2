package org.mavlogd.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import org.agrona.concurrent.EpochClock;

/**
 * Creates log files and hands them to the {@link Keeper}. Owned by the recorder's thread; everything that waits for the
 * medium happens on the keeper's.
 */
public final class LogStore {
    private static final int NAME_ATTEMPTS = 1000;
    // Room for the head of a log and a little data: with less a new file would only be one more broken one.
    private static final long MIN_USABLE_BYTES = 256 << 10;
    private static final long UNKNOWN = -1;

    private final Disk disk;
    private final EpochClock clock;
    private final StoreSettings settings;
    private final Keeper keeper;
    private long lastCounter = UNKNOWN;

    public LogStore(Disk disk, EpochClock clock, StoreSettings settings, Keeper keeper) {
        this.disk = disk;
        this.clock = clock;
        this.settings = settings;
        this.keeper = keeper;
    }

    /** Begins a new file under an unfinished name. */
    public LogFile create(int systemId) throws IOException {
        requireRoom();
        if (lastCounter == UNKNOWN) {
            lastCounter = highestCounter();
        }
        long begin = clock.time();
        for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
            String stem = LogName.stem(begin, systemId, lastCounter + 1);
            try {
                Disk.Output output = disk.create(stem + LogName.UNFINISHED_SUFFIX);
                lastCounter++;
                LogFile file = new LogFile(stem, output, settings);
                keeper.watch(file);
                return file;
            } catch (FileAlreadyExistsException e) {
                lastCounter++;
            } catch (IOException e) {
                lastCounter = UNKNOWN; // when the directory comes back it may be another one
                throw e;
            }
        }
        throw new IOException(NAME_ATTEMPTS + " names after counter " + lastCounter + " are taken");
    }

    private void requireRoom() throws IOException {
        long usableBytes = disk.usableBytes();
        if (usableBytes < MIN_USABLE_BYTES) {
            // Without the number, which changes all the time: a problem that stays the same is told once.
            throw new IOException("disk full, less than " + MIN_USABLE_BYTES + " bytes left");
        }
    }

    /** Writes the rest and lets go of the file: the keeper forces, closes and renames it. */
    public void finish(LogFile file) {
        file.write();
        keeper.finish(file);
    }

    /** Where files go, for people. */
    public String location() {
        return disk.location();
    }

    private long highestCounter() throws IOException {
        return disk.list().stream()
                .mapToLong(file -> LogName.counter(file.name()).orElse(0))
                .max()
                .orElse(0);
    }
}
