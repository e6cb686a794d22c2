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
 * Notes how far each scan of an unfinished log came that did not end: a file {@code .NAME.scan} beside the log with a place of
 * eight bytes for each start. It is written through to the disk before the scan, updated before each step, and deleted after the scan. So the
 * next run knows which file ended this one, whatever the reason: memory, a crash of Java. A log at whose same place two runs ended is
 * suspect; where runs ended at different places, as in power cuts and kills, the log is not the reason. Owned by the keeper's thread.
 */
final class ScanNotes {
    private static final Logger LOG = LoggerFactory.getLogger(ScanNotes.class);

    /** Instead of a place: not reading. After a loss of power also what a start leaves, because only the start is forced. */
    static final long NO_PLACE = -1;

    /** A log that was started so often without an end is not read again, wherever the runs ended. */
    static final int MAX_STARTS = 5;

    private static final int PLACE_BYTES = Long.BYTES;

    private final Disk disk;
    private final ByteBuffer place = ByteBuffer.allocate(PLACE_BYTES);
    // Of the log that is being scanned, if it could be written.
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

    /** Counts a start, before the scan. */
    void begin(String stem) {
        try {
            add(stem);
        } catch (IOException e) {
            // Not a reason to leave the log unread.
            LOG.warn("{}: cannot be written: {}", name(stem), Reason.of(e));
            close();
        }
    }

    private void add(String stem) throws IOException {
        ByteBuffer none = place.clear().putLong(0, NO_PLACE);
        try {
            Disk.Access note = disk.open(name(stem));
            open = note;
            start = note.length() / PLACE_BYTES * PLACE_BYTES;
            note.write(start, none);
            note.force();
        } catch (NoSuchFileException e) {
            try (Disk.Output note = disk.create(name(stem))) {
                note.write(none);
                note.force();
            }
            disk.forceNames();
            open = disk.open(name(stem));
            start = 0;
        }
    }

    /** Before each step of the scan that was begun. Not forced: an end of this program keeps what was written. */
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

    /** The scan is over, or given up. */
    void close() {
        Disk.Access note = open;
        open = null;
        if (note != null) {
            LogCompleter.close(note);
        }
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
