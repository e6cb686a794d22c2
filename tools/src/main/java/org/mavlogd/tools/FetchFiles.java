package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchDisk;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchedLogName;
import org.mavlogd.fetch.MissingRanges;
import org.mavlogd.fetch.PartFile;
import org.mavlogd.fetch.RemoteLog;
import org.mavlogd.text.Failures;

/**
 * Stores fetched logs in a directory. Writes on the link's thread, which has no other work in the command; read by the
 * command's thread after that has ended.
 */
final class FetchFiles implements FetchClient {
    private static final long SAVE_NS = TimeUnit.SECONDS.toNanos(2);

    /** The user's request. */
    interface Choice {
        /** Selects the logs to fetch, and tells the user if they are missing. */
        List<RemoteLog> choose(FetchTarget vehicle, List<RemoteLog> logs, FetchClient.Way way);
    }

    /** Receives messages for the user. */
    interface Teller {
        void say(String line);

        void warn(String line);
    }

    private final Directory directory;
    private final Choice choice;
    private final Teller teller;
    private final ProgressBar progress;
    private final LongSupplier nanoClock;

    private final List<RemoteLog> chosen = new ArrayList<>();
    private @Nullable PartFile file;
    private Path target = Path.of("");
    private String problem = "";
    private String endProblem = "";
    private long savedNs;
    private int whole;
    private long keptBytes;

    FetchFiles(Directory directory, Choice choice, Teller teller, ProgressBar progress, LongSupplier nanoClock) {
        this.directory = directory;
        this.choice = choice;
        this.teller = teller;
        this.progress = progress;
        this.nanoClock = nanoClock;
    }

    @Override
    public List<RemoteLog> onList(List<RemoteLog> logs, FetchClient.Way way) {
        chosen.addAll(choice.choose(directory.vehicle(), logs, way));
        List<RemoteLog> toFetch = new ArrayList<>();
        for (RemoteLog log : chosen) {
            if (directory.isThere(log)) {
                whole++;
                teller.say("log " + log.id() + ": is there already: " + directory.place(log));
            } else {
                toFetch.add(log);
            }
        }
        return toFetch;
    }

    @Override
    public Optional<Start> begin(RemoteLog log, boolean isAnew) {
        problem = "";
        target = directory.place(log);
        try {
            close();
            PartFile opened = directory.open(log, isAnew);
            file = opened;
            savedNs = nanoClock.getAsLong();
            MissingRanges missing = opened.missing();
            progress.begin("log " + log.id(), log.length() - missing.bytes());
            if (missing.bytes() < log.length()) {
                teller.say("log " + log.id() + ": continues with " + (log.length() - missing.bytes()) + " of "
                        + log.length() + " bytes");
            }
            return Optional.of(new Start(new Sink(opened), missing));
        } catch (IOException e) {
            problem = Failures.text(target, e);
            return Optional.of(new Start(new Sink(null), MissingRanges.allOf(log.length())));
        }
    }

    /** The file that is currently written. */
    private final class Sink implements FetchClient.LogSink {
        private final @Nullable PartFile part;

        Sink(@Nullable PartFile part) {
            this.part = part;
        }

        @Override
        public boolean write(long position, byte[] bytes, int offset, int length) {
            if (part == null || !problem.isEmpty()) {
                return false;
            }
            try {
                part.write(position, bytes, offset, length);
                return true;
            } catch (IOException e) {
                problem = Failures.text(target, e);
                return false;
            }
        }

        @Override
        public String problem() {
            return problem;
        }

        @Override
        public boolean isStale() {
            return part != null && part.isStale();
        }
    }

    @Override
    public void onProgress(RemoteLog log, long doneBytes) {
        progress.onProgress(doneBytes, log.length());
        PartFile open = file;
        long nowNs = nanoClock.getAsLong();
        if (open == null || !open.isDirty() || nowNs - savedNs < SAVE_NS) {
            return;
        }
        try {
            open.save();
            savedNs = nanoClock.getAsLong();
        } catch (IOException e) {
            problem = Failures.text(target, e);
        }
    }

    @Override
    public void onWhole(RemoteLog log, OptionalInt checksum) {
        PartFile open = file;
        file = null;
        if (open == null) {
            return;
        }
        try (open) {
            open.finish(checksum, directory.existing());
            whole++;
            teller.say("log " + log.id() + ": " + target + ", " + log.length() + " bytes"
                    + (checksum.isPresent() ? ", checksum right" : ""));
        } catch (IOException e) {
            keptBytes += open.savedBytes();
            teller.warn("log " + log.id() + ": " + Failures.text(target, e));
        }
    }

    @Override
    public void onCut(RemoteLog log, String why) {
        PartFile open = file;
        String trouble = "";
        try {
            close();
        } catch (IOException e) {
            trouble = why.equals(problem) ? "" : "; " + Failures.text(target, e);
        }
        long there = open == null ? 0 : open.savedBytes();
        keptBytes += there;
        String kept = there > 0 ? "; " + there + " of " + log.length() + " bytes are kept for the next run" : "";
        teller.warn("log " + log.id() + ": " + why + trouble + kept);
    }

    @Override
    public void onEnd(String why) {
        endProblem = why;
    }

    private void close() throws IOException {
        PartFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** Reason for an early end of the session; empty if there was none. */
    String endProblem() {
        return endProblem;
    }

    boolean isAllThere() {
        return endProblem.isEmpty() && whole == chosen.size();
    }

    boolean hasAnything() {
        return whole > 0 || keptBytes > 0;
    }

    /**
     * The directory for the logs of one vehicle: names their files, and knows which exist.
     *
     * @param replaces whether existing files are replaced
     */
    record Directory(FetchTarget vehicle, FetchDisk disk, Path directory, boolean replaces) {
        /** The path of a log's file. */
        Path place(RemoteLog log) {
            return directory.resolve(FetchedLogName.of(vehicle, log));
        }

        /** Whether the log exists and need not be fetched. */
        boolean isThere(RemoteLog log) {
            try {
                return !replaces
                        && Files.isRegularFile(place(log), LinkOption.NOFOLLOW_LINKS)
                        && Files.size(place(log)) == log.length();
            } catch (IOException e) {
                return false; // problems are reported when it is written
            }
        }

        /** Opens a file for the parts of the log; throws if the finished log could not get its name. */
        PartFile open(RemoteLog log, boolean isAnew) throws IOException {
            Path target = place(log);
            disk.createDirectories(directory);
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                if (!replaces) {
                    throw new IOException(
                            "exists already, and is not a log of " + log.length() + " bytes; --force replaces it");
                }
                if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
                    throw new IOException("is not a regular file");
                }
            }
            return PartFile.open(disk, target, FetchedLogName.identity(vehicle, log), log.length(), isAnew);
        }

        /** Treatment of an existing file with the name of a finished log. */
        PartFile.Existing existing() {
            return replaces ? PartFile.Existing.IS_REPLACED : PartFile.Existing.STAYS;
        }
    }
}
