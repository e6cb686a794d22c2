package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often a scan of an unfinished log began and did not end, in a file {@code .NAME.scan} beside the log: one
 * byte for each start, forced to disk before the scan, and deleted after it. So the next run knows which file ended
 * this one, for whatever reason: memory, a crash of Java, a power cut. Owned by the keeper's thread.
 */
final class ScanNotes {
    private static final Logger LOG = LoggerFactory.getLogger(ScanNotes.class);

    /** A file whose scan began this often without an end is not read again. */
    static final int MAX_STARTS = 2;

    private final Disk disk;

    ScanNotes(Disk disk) {
        this.disk = disk;
    }

    static String name(String stem) {
        return StreamNotes.NoteName.SCAN.of(stem);
    }

    /** Whether its scan began too often. */
    boolean isSuspect(String stem) {
        try (Disk.Access note = disk.open(name(stem))) {
            return note.length() >= MAX_STARTS;
        } catch (IOException e) {
            return false; // there is none, or it cannot be read
        }
    }

    /** Counts a start, before the scan. */
    void begin(String stem) {
        try {
            add(stem);
        } catch (IOException e) {
            // Not a reason to leave the log unread.
            LOG.warn("{}: cannot be written: {}", name(stem), Reason.of(e));
        }
    }

    private void add(String stem) throws IOException {
        ByteBuffer start = ByteBuffer.wrap(new byte[] {1});
        try (Disk.Access note = disk.open(name(stem))) {
            note.write(note.length(), start);
            note.force();
        } catch (NoSuchFileException e) {
            create(stem, start);
        }
    }

    private void create(String stem, ByteBuffer start) throws IOException {
        try (Disk.Output note = disk.create(name(stem))) {
            note.write(start);
            note.force();
        }
        disk.forceNames();
    }

    /** Deletes the count, after the scan. */
    static void delete(Disk disk, String stem) {
        try {
            disk.delete(name(stem));
        } catch (NoSuchFileException e) {
            LOG.debug("{}: is not there", name(stem));
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", name(stem), Reason.of(e));
        }
    }
}
