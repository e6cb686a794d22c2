package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mavlogd.store.CrashTexts;
import org.mavlogd.store.Disk;
import org.mavlogd.store.Keeper;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.NameChanges;
import org.mavlogd.store.Reason;
import org.mavlogd.store.StreamMark;
import org.mavlogd.ulog.AppendFile;
import org.mavlogd.ulog.ULogAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes a file of an earlier run: cuts it after its last complete message, appends crash data if there is any, and
 * gives it its final name; or deletes it if it contains nothing useful. Owned by the keeper's thread.
 */
final class LogCompleter {
    private static final Logger LOG = LoggerFactory.getLogger(LogCompleter.class);
    private static final long NOT_APPENDED = -1;

    private final Disk disk;
    private final HostClock clock;
    private final CrashReport.Source crashes;
    private final NameChanges names;
    private final Keeper.FinishedListener listener;

    LogCompleter(Disk disk, Restart restart, NameChanges names, Keeper.FinishedListener listener) {
        this.disk = disk;
        this.names = names;
        this.clock = restart.clock();
        this.crashes = restart.crashes();
        this.listener = listener;
    }

    /**
     * Finishes a file in which no stream continues.
     *
     * @param file is closed
     * @param wholeBytes its length up to the last complete message or block
     * @param lastUs the log's last time; -1 if not known
     */
    void finish(UnfinishedListing.File found, Disk.Access file, long wholeBytes, long lastUs) {
        boolean isDeletable = isDeletable(found);
        Mended mended;
        try {
            mended = isDeletable ? Mended.NOTHING : mend(found, file, wholeBytes, lastUs);
        } finally {
            close(file);
        }
        if (isDeletable) {
            delete(found, "its ULog has everything");
        } else if (mended.bytes() == 0) {
            delete(found, "it is empty");
        } else {
            rename(found, mended);
        }
    }

    /** The result for a file: its length, and how many bytes were cut and appended. */
    private record Mended(long bytes, long cut, long appended) {
        private static final Mended NOTHING = new Mended(0, 0, 0);
    }

    private Mended mend(UnfinishedListing.File found, Disk.Access file, long wholeBytes, long lastUs) {
        long cut = 0;
        long appended = 0;
        long bytes = wholeBytes;
        try {
            cut = file.length() - wholeBytes;
            if (cut > 0) {
                file.truncate(wholeBytes);
            }
            appended = wholeBytes > 0 && found.kind() == LogKind.ULG ? append(found, file, report(found), lastUs) : 0;
            bytes = file.length();
            if (appended <= 0 && bytes > 0) {
                file.force(); // its finished name must not come before what the ended run had not forced
            }
        } catch (IOException e) {
            LOG.error("{}: not completed: {}", found.finishedName(), Reason.of(e));
        }
        return new Mended(bytes, cut, Math.max(0, appended));
    }

    /** Whether other files have all its data. */
    private static boolean isDeletable(UnfinishedListing.File found) {
        return found.note()
                .filter(note -> note.mark().stream().fate() == StreamMark.Fate.DELETABLE)
                .isPresent();
    }

    private void delete(UnfinishedListing.File found, String reason) {
        LOG.info("{}: removed, {}", found.unfinishedName(), reason);
        names.delete(found.unfinishedName(), clock.monotonic().nanoTime());
        deleteNote(found);
    }

    private void rename(UnfinishedListing.File found, Mended mended) {
        long nowNs = clock.monotonic().nanoTime();
        names.rename(found.unfinishedName(), found.finishedName(), () -> onRenamed(found, mended), nowNs);
    }

    private void onRenamed(UnfinishedListing.File found, Mended mended) {
        String name = found.finishedName();
        if (mended.cut() > 0 || found.kind() == LogKind.ULG) {
            LOG.info(
                    "{}: recovered after a crash: cut {} bytes, appended {} bytes of crash data",
                    name,
                    mended.cut(),
                    mended.appended());
        } else {
            LOG.info("{}: finished as an earlier run left it, {} bytes", name, mended.bytes());
        }
        listener.onFinished(name, mended.bytes());
        deleteNote(found);
    }

    private void deleteNote(UnfinishedListing.File found) {
        if (found.note().isPresent()) {
            StreamNotes.delete(disk, found.stem());
        }
    }

    /**
     * Called when a file that continued is complete, before it is renamed: appends the crash data of the previous run,
     * if there is any.
     */
    void finishing(UnfinishedListing.File found, long lastUs) {
        if (StreamNotes.read(disk, found.stem()).isPresent()) {
            StreamNotes.delete(disk, found.stem()); // nothing came since, so it was never replaced
        }
        CrashReport report = report(found);
        if (report.text().isEmpty() || found.kind() != LogKind.ULG) {
            return;
        }
        try (Disk.Access file = disk.open(found.unfinishedName())) {
            append(found, file, report, lastUs);
        } catch (IOException e) {
            LOG.warn("{}: no crash data appended: {}", found.finishedName(), Reason.of(e));
        }
    }

    /**
     * The report on the run that wrote the file. If only lines are known, they count only if the run died while the
     * computer kept running: most flights end by switching off, and logs with crash data are never deleted.
     */
    private CrashReport report(UnfinishedListing.File found) {
        CrashReport report = crashes.report(
                found.note().map(StreamNote::processId).orElse(-1L),
                found.note().map(StreamNote::epochMs).orElse(-1L));
        boolean sameBoot =
                found.note().filter(note -> note.isOfBoot(clock.bootId())).isPresent();
        return sameBoot || !report.text().isEmpty() ? report : CrashReport.NONE;
    }

    /** Appends and forces crash data. A failure is only reported: a log without crash data is better than none. */
    private static long append(UnfinishedListing.File found, Disk.Access file, CrashReport report, long lastUs) {
        try {
            return CrashSection.append(file, report, found.note(), lastUs);
        } catch (IOException e) {
            LOG.warn("{}: no crash data appended: {}", found.finishedName(), Reason.of(e));
            return NOT_APPENDED;
        }
    }

    /** Closes a file; a failure does not matter, because all data was forced. */
    static void close(Disk.Access file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.warn("close: {}", Reason.of(e));
        }
    }

    /**
     * Appends a report on the end of a run to a log that it left: crash files as {@code hardfault_plain}, which log
     * viewers show, and the last lines of the program's own log as logged strings.
     */
    static final class CrashSection {
        // Lines get times relative to those of the data by the wall clock, up to this distance.
        private static final long MAX_DISTANCE_MS = TimeUnit.HOURS.toMillis(1);

        private CrashSection() {}

        /**
         * Appends a section.
         *
         * @param note the last note of the run, for the time of its lines
         * @param lastUs the log's last time; -1 if not known
         * @return how many bytes; 0 if there is nothing to append, or the log already has appended data
         */
        static long append(Disk.Access file, CrashReport report, Optional<StreamNote> note, long lastUs)
                throws IOException {
            AppendFile log = new DiskFile(file);
            if ((report.text().isEmpty() && report.lines().isEmpty())
                    || ULogAppender.sections(log).used() > 0) {
                return 0;
            }
            ULogAppender section = new ULogAppender();
            if (!report.text().isEmpty()) {
                section.crashText(report.text());
            }
            for (CrashReport.Line line : report.lines()) {
                section.loggedString(line.level(), timeUs(line, note, lastUs), CrashTexts.LINE + line.text());
            }
            long before = file.length();
            section.appendTo(log);
            return file.length() - before;
        }

        private static long timeUs(CrashReport.Line line, Optional<StreamNote> note, long lastUs) {
            long lastKnownUs = Math.max(0, lastUs);
            if (note.isEmpty()) {
                return lastKnownUs;
            }
            long distanceMs = line.epochMs() - note.get().epochMs();
            if (Math.abs(distanceMs) > MAX_DISTANCE_MS) {
                return lastKnownUs;
            }
            long notedUs = note.get().mark().stream().logUs();
            return Math.max(0, notedUs + TimeUnit.MILLISECONDS.toMicros(distanceMs));
        }

        private record DiskFile(Disk.Access file) implements AppendFile {
            @Override
            public long length() throws IOException {
                return file.length();
            }

            @Override
            public void read(long position, ByteBuffer target) throws IOException {
                file.read(position, target);
            }

            @Override
            public void write(long position, ByteBuffer source) throws IOException {
                file.write(position, source);
            }

            @Override
            public void truncate(long length) throws IOException {
                file.truncate(length);
            }

            @Override
            public void force() throws IOException {
                file.force();
            }
        }
    }
}
