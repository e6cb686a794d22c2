package org.mavlogd.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.store.StoredName.Kind;

/**
 * The logs of a directory as another program than the recorder sees them: what there is, and marking logs that are never to
 * be deleted. Owned by one thread.
 */
public final class LogDirectory {
    /** The newest log; {@code LAST~1} is the one before, and so on. */
    public static final String LAST = "LAST";

    private static final Pattern NEWEST = Pattern.compile(LAST + "(?:~([0-9]{1,9}))?");

    /** How far a log is. */
    public enum State {
        /** A running program writes it. */
        GROWING,
        /** Its program ended before it could finish it. */
        LEFT_OVER,
        /** Left over, and not to be read again: reading it ended the recorder, or failed. */
        UNREAD,
        FINISHED
    }

    /**
     * What can be told of a file of a log without reading it.
     *
     * @param name of the file
     * @param log number of the log, the same for all its files
     * @param begin UTC as the name tells it; empty while the clock was not set
     * @param lastWrite empty when nobody can tell
     * @param hasAppended whether it has crash data or remarks at its end; false when that is not known
     * @param problem what is wrong with it; empty when nothing shows
     */
    public record Log(
            String name,
            State state,
            Optional<Instant> begin,
            int systemId,
            long log,
            long counter,
            long bytes,
            Optional<Instant> lastWrite,
            boolean isKept,
            boolean hasAppended,
            String problem) {}

    private final FileDisk disk;

    public LogDirectory(FileDisk disk) {
        this.disk = disk;
    }

    /** All files of logs that this program made, the oldest log first. */
    public List<Log> logs() throws IOException {
        List<Disk.Entry> entries = disk.list();
        Map<String, List<String>> marks = marks(entries);
        List<Log> logs = new ArrayList<>();
        for (Disk.Entry entry : entries) {
            Optional<StoredName> name = StoredName.parse(entry.name()).filter(n -> n.kind() != Kind.KEEP_MARK);
            name.ifPresent(n -> logs.add(log(entry, n, marks.containsKey(n.identity()))));
        }
        logs.sort(Comparator.comparingLong(Log::log)
                .thenComparingLong(Log::counter)
                .thenComparing(Log::name));
        return List.copyOf(logs);
    }

    /** The marks by the identity of their log; more than one when a log was renamed in between. */
    private static Map<String, List<String>> marks(List<Disk.Entry> entries) {
        Map<String, List<String>> marks = new HashMap<>();
        for (Disk.Entry entry : entries) {
            StoredName.parse(entry.name())
                    .filter(name -> name.kind() == Kind.KEEP_MARK)
                    .ifPresent(name -> marks.computeIfAbsent(name.identity(), key -> new ArrayList<>())
                            .add(entry.name()));
        }
        return marks;
    }

    private Log log(Disk.Entry entry, StoredName name, boolean isKept) {
        State state = state(entry.name(), name.kind());
        boolean hasAppended = false;
        String problem = "";
        try {
            ByteBuffer head = AppendedIndex.head(disk, entry.name());
            hasAppended = AppendedIndex.hasAppended(head);
            problem = problem(entry.name(), head);
        } catch (IOException e) {
            problem = "cannot be read";
        }
        return new Log(
                entry.name(),
                state,
                name.begin(),
                name.systemId(),
                name.log(),
                name.counter(),
                entry.bytes(),
                lastWrite(entry.name()),
                isKept,
                hasAppended,
                problem);
    }

    private State state(String name, Kind kind) {
        return switch (kind) {
            case FINISHED, KEEP_MARK -> State.FINISHED;
            case UNREAD -> State.UNREAD;
            case UNFINISHED -> disk.isGrowing(name) ? State.GROWING : State.LEFT_OVER;
        };
    }

    private static String problem(String name, ByteBuffer head) {
        if (head.limit() == 0) {
            return "empty";
        }
        if (LogKind.of(name).filter(kind -> kind == LogKind.BIN).isPresent()) {
            // ArduPilot's logs begin with a message, and each message with these two bytes.
            boolean isMessage = head.limit() > 1 && head.get(0) == (byte) 0xA3 && head.get(1) == (byte) 0x95;
            return isMessage ? "" : "no DataFlash message at its beginning";
        }
        return AppendedIndex.isLog(head) ? "" : "no ULog header";
    }

    private Optional<Instant> lastWrite(String name) {
        try {
            return Optional.of(disk.lastWrite(name));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * A file of the log that is meant.
     *
     * @param name of a log, where {@code .ulg} or {@code .bin} may be left out, or {@link #LAST}, {@code LAST~1} and so on
     * @throws FileSystemException when there is none
     */
    public Log find(String name) throws IOException {
        List<Log> logs = logs();
        Matcher newest = NEWEST.matcher(name);
        if (newest.matches()) {
            return newest(logs, newest.group(1) == null ? 0 : Integer.parseInt(newest.group(1)));
        }
        return named(logs, name).orElseThrow(() -> new NoSuchFileException(disk.location() + "/" + finished(name)));
    }

    /** The name of the file of a log, where the state may have changed and {@code .ulg} or {@code .bin} may be left out. */
    public Optional<String> named(String name) throws IOException {
        return named(logs(), name).map(Log::name);
    }

    private static Optional<Log> named(List<Log> logs, String name) {
        boolean isAnyKind = LogKind.of(name).isEmpty();
        return logs.stream()
                .filter(log -> isAnyKind
                        ? LogKind.stem(log.name()).equals(name)
                        : finished(log.name()).equals(finished(name)))
                .filter(log -> isName(name))
                .findFirst();
    }

    /** The last file of the newest log, or of one so many logs before it. */
    private Log newest(List<Log> files, int before) throws IOException {
        int skipped = 0;
        for (int i = files.size() - 1; i >= 0; i--) {
            boolean isLastOfLog = i == files.size() - 1 || !isSame(files.get(i), files.get(i + 1));
            if (isLastOfLog && skipped++ == before) {
                return files.get(i);
            }
        }
        String reason = skipped == 0 ? "no logs" : "there are only " + skipped + " logs in it";
        throw new FileSystemException(disk.location(), null, reason);
    }

    /** Whether somebody may mean a log by this: {@link #LAST}, or a name as this program gives them. */
    public static boolean isName(String name) {
        return NEWEST.matcher(name).matches()
                || StoredName.parse(finished(name))
                        .filter(parsed -> parsed.kind() == Kind.FINISHED)
                        .isPresent();
    }

    private static String finished(String name) {
        String whole = LogKind.withoutState(name);
        return LogKind.of(whole).isPresent() ? whole : whole + StoredName.FINISHED_SUFFIX;
    }

    /** All files of the same log, also those that are still to come, are kept or not together. */
    public List<Log> filesOf(Log log) throws IOException {
        return logs().stream().filter(other -> isSame(other, log)).toList();
    }

    private static boolean isSame(Log one, Log other) {
        return one.log() == other.log() && one.systemId() == other.systemId();
    }

    /** Marks a log, all its files, so that it is never deleted; returns false when it was marked before. */
    public boolean keep(Log log) throws IOException {
        if (log.isKept()) {
            return false;
        }
        String mark = finished(log.name()) + StoredName.KEEP_SUFFIX;
        try {
            disk.create(mark).close();
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        disk.forceNames();
        // The recorder may just have deleted it.
        boolean isThere = logs().stream().anyMatch(other -> isSame(other, log));
        if (!isThere) {
            disk.delete(mark);
            throw new NoSuchFileException(disk.location() + "/" + log.name(), null, "was deleted meanwhile");
        }
        return true;
    }

    /** Takes the mark away; returns false when there was none. */
    public boolean unkeep(Log log) throws IOException {
        List<Disk.Entry> entries = disk.list();
        String identity = StoredName.parse(log.name()).map(StoredName::identity).orElseThrow();
        List<String> marks = marks(entries).getOrDefault(identity, List.of());
        for (String mark : marks) {
            disk.delete(mark);
        }
        if (!marks.isEmpty()) {
            disk.forceNames();
        }
        return !marks.isEmpty();
    }
}
