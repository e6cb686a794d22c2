package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.store.Disk;
import org.mavlogd.store.LogFile;
import org.mavlogd.store.LogName;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link StreamNote} beside each file being written, and removes it when the file is finished. If a note cannot
 * be written, only the chance to continue the same file is lost. Owned by the keeper's thread.
 */
final class StreamNotes {
    /**
     * Names of the notes beside a log. They are hidden, because users do not need them, and deleted when the log is
     * finished.
     */
    enum NoteName {
        /** A {@link StreamNote}. */
        STREAM(".state"),
        /** One of {@link ScanNotes}. */
        SCAN(".scan");

        private static final String PREFIX = ".";

        private final String suffix;

        NoteName(String suffix) {
            this.suffix = suffix;
        }

        /** The name of a log's note. */
        String of(String stem) {
            return PREFIX + stem + suffix;
        }

        /** The stem of the log whose note has this name; empty for any other name. */
        Optional<String> stem(String name) {
            if (!name.startsWith(PREFIX) || !name.endsWith(suffix)) {
                return Optional.empty();
            }
            String stem = name.substring(PREFIX.length(), Math.max(PREFIX.length(), name.length() - suffix.length()));
            return LogName.isStem(stem) ? Optional.of(stem) : Optional.empty();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(StreamNotes.class);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    // Notes can be extrapolated: after a power cut an older one suffices.
    private static final long FORCE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);
    // In one round of the keeper, because files being written wait meanwhile: a first note is forced.
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Disk disk;
    private final HostClock clock;
    private final List<Noted> files = new ArrayList<>();
    // Where the next round begins, so that each file gets its turn.
    private int next;

    /** A file being written and its note. */
    private static final class Noted {
        private final LogFile file;
        private String stem;
        private Disk.@Nullable Access note;
        private @Nullable StreamMark last;
        private long number;
        private boolean told;
        private long nextNs;
        private long forcedNs;

        private Noted(LogFile file, long nowNs) {
            this.file = file;
            this.stem = file.stem();
            this.nextNs = nowNs;
        }
    }

    StreamNotes(Disk disk, HostClock clock) {
        this.disk = disk;
        this.clock = clock;
    }

    static String name(String stem) {
        return NoteName.STREAM.of(stem);
    }

    /** The note beside a file; empty if there is none that can be read. */
    static Optional<StreamNote> read(Disk disk, String stem) {
        ByteBuffer content = ByteBuffer.allocate(StreamNote.FILE_BYTES);
        try (Disk.Access file = disk.open(name(stem))) {
            file.read(0, content);
        } catch (IOException e) {
            return Optional.empty();
        }
        try {
            return StreamNote.decode(content.flip());
        } catch (RuntimeException e) {
            LOG.error("{}: left out, internal error", name(stem), e);
            return Optional.empty();
        }
    }

    void watch(LogFile file) {
        files.add(new Noted(file, clock.monotonic().nanoTime()));
    }

    /** Writes notes for new marks, for a limited time; returns whether it left some for the next round. */
    boolean work(long nowNs) {
        for (int seen = 0; seen < files.size(); seen++) {
            next = next < files.size() ? next : 0;
            boolean wrote = noteIfDue(files.get(next++), nowNs);
            if (wrote && clock.monotonic().nanoTime() - nowNs >= STEP_NS) {
                return seen + 1 < files.size();
            }
        }
        return false;
    }

    /** Marks are compared by identity: each is a new object, and comparing records by value is slow at first. */
    @SuppressWarnings("ReferenceEquality")
    private boolean noteIfDue(Noted noted, long nowNs) {
        StreamMark mark = nowNs - noted.nextNs >= 0 ? noted.file.writtenMark() : null;
        if (mark == null || mark == noted.last) {
            return false;
        }
        noted.last = mark;
        noted.nextNs = nowNs + INTERVAL_NS;
        note(noted, mark, nowNs);
        return true;
    }

    private void note(Noted noted, StreamMark mark, long nowNs) {
        StreamNote note = new StreamNote(
                noted.number++,
                clock.processId(),
                clock.bootId(),
                nowNs,
                clock.wall().time(),
                mark);
        try {
            write(noted, note, nowNs);
        } catch (IOException e) {
            if (!noted.told) {
                LOG.warn(
                        "{}: after a crash it will not be continued, its note cannot be written: {}",
                        noted.file.name(),
                        Reason.of(e));
            }
            noted.told = true;
            noted.nextNs = nowNs + RETRY_NS;
            close(noted);
        }
    }

    private void write(Noted noted, StreamNote note, long nowNs) throws IOException {
        Disk.Access open = noted.note;
        if (open == null) {
            ByteBuffer content = ByteBuffer.allocate(StreamNote.FILE_BYTES).put(note.encode());
            disk.replace(name(noted.stem), content.rewind());
            open = disk.open(name(noted.stem));
            noted.note = open;
            noted.number = note.number() + 1;
        } else {
            open.write(note.number() % StreamNote.SLOTS * StreamNote.SLOT_BYTES, note.encode());
            if (nowNs - noted.forcedNs < FORCE_INTERVAL_NS) {
                return;
            }
        }
        noted.forcedNs = nowNs;
        open.force();
    }

    private static void close(Noted noted) {
        Disk.Access open = noted.note;
        noted.note = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("note of {}: close: {}", noted.file.name(), Reason.of(e));
            }
        }
    }

    /**
     * This run ends, and the next one may continue the file: the note stays, with the last mark.
     *
     * @param stem of the name that the file gets
     */
    void leave(LogFile file, String stem, long nowNs) {
        for (int i = 0; i < files.size(); i++) {
            Noted noted = files.get(i);
            if (noted.file == file) {
                StreamMark mark = file.writtenMark();
                if (!stem.equals(noted.stem) && noted.note != null) {
                    close(noted);
                    delete(disk, noted.stem);
                }
                noted.stem = stem;
                if (mark != null) {
                    note(noted, mark, nowNs);
                }
                close(noted);
                files.remove(i);
                return;
            }
        }
    }

    /** The file is about to be finished: no stream continues in it. */
    void finish(LogFile file) {
        for (int i = 0; i < files.size(); i++) {
            Noted noted = files.get(i);
            if (noted.file == file) {
                boolean isThere = noted.note != null;
                close(noted);
                files.remove(i);
                if (isThere) {
                    delete(disk, file.stem());
                }
                return;
            }
        }
    }

    /** Deletes a note that is not needed any more. */
    static void delete(Disk disk, String stem) {
        try {
            disk.delete(name(stem));
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", name(stem), Reason.of(e));
        }
    }
}
