package org.mavlogd.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mavlogd.store.CrashTexts;
import org.mavlogd.store.Disk;
import org.mavlogd.ulog.AppendFile;
import org.mavlogd.ulog.ULogAppender;

/**
 * Appends what is known of a run's end to a log that it left: crash files as {@code hardfault_plain}, which log viewers
 * show, and the last lines of the program's own log as logged strings.
 */
final class CrashSection {
    // Times of lines are as far from those of the data as the wall clock says, when that can be.
    private static final long MAX_DISTANCE_MS = TimeUnit.HOURS.toMillis(1);

    private CrashSection() {}

    /**
     * Appends a section.
     *
     * @param note what the run noted last, for the time of its lines
     * @param lastUs the log's last time, or -1
     * @return how many bytes; 0 when there is nothing to append, or the log was appended to before
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
