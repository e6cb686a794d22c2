package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.mavlogd.app.DirectoryLock;
import org.mavlogd.fetch.FetchedLogs;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.store.LogKind;
import org.mavlogd.wiring.FetchAfterFlight;

/** A log named on the command line: a recorded one with all its files, or a fetched one. */
public interface NamedLog {
    /** The names of its files. */
    String text();

    long bytes();

    /** Paths of its files. */
    List<Path> files() throws IOException;

    /** Marks the log as kept; false if it was already marked. */
    boolean keep() throws IOException;

    /** Removes the mark; false if there was none. */
    boolean unkeep() throws IOException;

    /** The reason why it cannot be deleted; empty if it can. */
    String refusal() throws IOException;

    void delete() throws IOException;

    /** Whether a name may be that of a log: all others, especially paths, are refused. */
    static boolean isName(String name) {
        return FetchedLogs.isName(name) || LogDirectory.isName(name);
    }

    /** The fetched logs in a directory. */
    static FetchedLogs fetched(FileDisk disk) {
        return new FetchedLogs(Path.of(disk.location()).resolve(FetchAfterFlight.DIRECTORY));
    }

    /** The names of all logs in a directory and of their files, with and without extension. */
    static List<String> names(FileDisk disk) throws IOException {
        List<String> names = new ArrayList<>();
        for (LogDirectory.Log log : new LogDirectory(disk).logs()) {
            names.add(log.name());
            for (LogDirectory.Piece piece : log.pieces()) {
                names.add(piece.name());
                names.add(LogKind.stem(piece.name()));
            }
        }
        fetched(disk).logs().forEach(log -> names.add(log.name()));
        return names;
    }

    /**
     * Finds the log in a directory.
     *
     * @throws java.nio.file.NoSuchFileException if there is no log with this name
     */
    static NamedLog find(FileDisk disk, String name) throws IOException {
        if (FetchedLogs.isName(name)) {
            FetchedLogs fetched = fetched(disk);
            if (!fetched.isKept(name)) { // the mark of a deleted log can still be removed
                fetched.path(name);
            }
            return new Fetched(fetched, name);
        }
        LogDirectory logs = new LogDirectory(disk);
        return new Recorded(Path.of(disk.location()), logs, logs.find(name));
    }

    /** A recorded log. */
    record Recorded(Path directory, LogDirectory logs, LogDirectory.Log log) implements NamedLog {
        @Override
        public String text() {
            return log.pieces().stream().map(LogDirectory.Piece::name).collect(Collectors.joining(", "));
        }

        @Override
        public long bytes() {
            return log.bytes();
        }

        @Override
        public List<Path> files() {
            return log.pieces().stream()
                    .map(piece -> directory.resolve(piece.name()))
                    .toList();
        }

        @Override
        public boolean keep() throws IOException {
            return logs.keep(log);
        }

        @Override
        public boolean unkeep() throws IOException {
            return logs.unkeep(log);
        }

        @Override
        public String refusal() {
            String refusal = LogDirectory.refusal(log);
            boolean isToBeFinished = log.state() == LogDirectory.State.LEFT_OVER && DirectoryLock.isHeld(directory);
            return refusal.isEmpty() && isToBeFinished ? "mavlogd is about to continue or to finish it" : refusal;
        }

        @Override
        public void delete() throws IOException {
            logs.delete(log);
        }
    }

    /** A fetched log. */
    record Fetched(FetchedLogs logs, String name) implements NamedLog {
        @Override
        public String text() {
            return name;
        }

        @Override
        public long bytes() {
            return logs.bytes(name);
        }

        @Override
        public List<Path> files() throws IOException {
            return List.of(logs.path(name));
        }

        @Override
        public boolean keep() throws IOException {
            return logs.keep(name);
        }

        @Override
        public boolean unkeep() throws IOException {
            return logs.unkeep(name);
        }

        @Override
        public String refusal() throws IOException {
            logs.path(name);
            return logs.isKept(name) ? "is kept" : "";
        }

        @Override
        public void delete() throws IOException {
            logs.delete(name);
        }
    }
}
