package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records how far each scan of an unfinished log got, in a file {@code .NAME.scan} beside the log: one position of
 * eight bytes for each start. The file is updated before each step, and deleted after the scan. So the next run knows
 * which log ended this one, for whatever reason: memory, a crash of Java. It is forced to disk before the scan, in case
 * the computer ends with the run; but not while a stream may wait, which would lose data on a slow disk.
 *
 * <p>A log is suspect if two runs ended at the same position of it. If runs ended at different positions, as in power
 * cuts and kills, the log is not the reason. Owned by the keeper's thread.
 */
final class ScanNotes {
    private static final Logger LOG = LoggerFactory.getLogger(ScanNotes.class);

    /**
     * Written in place of a position while no step runs. A power cut may also leave it, because only the start is
     * forced.
     */
    static final long NO_PLACE = -1;

    /** A log whose scan began this often without an end is not read again, wherever the runs ended. */
    static final int MAX_STARTS = 5;

    private static final int PLACE_BYTES = Long.BYTES;

    private final Disk disk;
    private final ByteBuffer place = ByteBuffer.allocate(PLACE_BYTES);
    // The file for the log that is being scanned; null if it cannot be written.
    private Disk.@Nullable Access open;
    private long start;

    ScanNotes(Disk disk) {
        this.disk = disk;
    }

    static String name(String stem) {
        return StreamNotes.NoteName.SCAN.of(stem);
    }

    /** Whether reading it is likely to end the program. */
    boolean isSuspect(String stem) {
        ByteBuffer places = ByteBuffer.allocate(MAX_STARTS * PLACE_BYTES);
        try (Disk.Access note = disk.open(name(stem))) {
            note.read(0, places);
        } catch (IOException e) {
            return false; // there is none, or it cannot be read
        }
        places.flip();
        int starts = places.limit() / PLACE_BYTES;
        for (int i = 1; i < starts; i++) {
            for (int j = 0; j < i; j++) {
                long ended = places.getLong(i * PLACE_BYTES);
                if (ended != NO_PLACE && ended == places.getLong(j * PLACE_BYTES)) {
                    return true;
                }
            }
        }
        return starts >= MAX_STARTS;
    }

    /** Records a start, before the scan. */
    void begin(String stem, boolean isForced) {
        try {
            add(stem, isForced);
        } catch (IOException e) {
            // Not a reason to leave the log unread.
            LOG.warn("{}: cannot be written: {}", name(stem), Reason.of(e));
            close();
        }
    }

    private void add(String stem, boolean isForced) throws IOException {
        if (!disk.exists(name(stem))) {
            disk.create(name(stem)).close();
        }
        Disk.Access note = disk.open(name(stem));
        open = note;
        start = note.length() / PLACE_BYTES * PLACE_BYTES;
        note.write(start, place.clear().putLong(0, NO_PLACE));
        if (isForced) {
            note.force();
            disk.forceNames();
        }
    }

    /** Records where the next step reads. Not forced to disk: written data survives the end of this program. */
    void at(long newPlace) {
        Disk.Access note = open;
        if (note != null) {
            try {
                note.write(start, place.clear().putLong(0, newPlace));
            } catch (IOException e) {
                LOG.debug("note of a scan: {}", Reason.of(e));
                close();
            }
        }
    }

    /** Closes the file after the scan, or when the scan is given up. */
    void close() {
        Disk.Access note = open;
        open = null;
        if (note != null) {
            LogCompleter.close(note);
        }
    }

    /** Deletes the file, after the scan. */
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
