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
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mavlogd.store.StoredName.Kind;
import org.mavlogd.text.Words;
import org.mavlogd.tlog.TlogLayout;

/**
 * The logs of a directory, for other programs than the recorder: lists them, marks logs that must never be deleted, and
 * deletes logs. Owned by one thread.
 */
public final class LogDirectory {
    /** The newest log; {@code LAST~1} is the previous one, and so on. */
    public static final String LAST = "LAST";

    private static final Pattern NEWEST = Pattern.compile(LAST + "(?:~([0-9]{1,9}))?");

    /** The state of a log or a file. A log has the first of these states that one of its files has. */
    public enum State {
        /** A running program is writing it. */
        GROWING,
        /** Its program ended before finishing it. */
        LEFT_OVER,
        /** Unfinished, and not read again, because reading it failed or ended the recorder. */
        UNREAD,
        FINISHED
    }

    /**
     * A file, as far as known from its name and its first bytes.
     *
     * @param begin UTC from the name; empty if the clock was not set
     * @param lastWrite empty if not known
     * @param appended kinds of appended sections; empty if not known
     * @param problem of the file; empty if none is visible
     */
    public record Piece(
            String name,
            State state,
            Optional<Instant> begin,
            long bytes,
            Optional<Instant> lastWrite,
            Set<Appended> appended,
            String problem) {
        public Piece {
            appended = Set.copyOf(appended);
        }

        private StoredName stored() {
            return StoredName.parse(name).orElseThrow();
        }
    }

    /**
     * A log: one file, or all files of one flight, such as the {@code .bin} and the {@code .ulg} of an ArduPilot, the parts of
     * a long log, and the {@code .tlog} beside them.
     *
     * @param number the counter of its first file, which is in the names of all its files
     * @param pieces its files, in the order of their start; at least one
     */
    public record Log(int systemId, long number, boolean isKept, List<Piece> pieces) {
        public Log {
            pieces = List.copyOf(pieces);
        }

        /** The name of its only file, or the common part of its files' names. Every command accepts it. */
        public String name() {
            String first = pieces.get(0).name();
            return pieces.size() == 1 ? first : LogKind.stem(first);
        }

        public State state() {
            return pieces.stream()
                    .map(Piece::state)
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
        }

        public long bytes() {
            return pieces.stream().mapToLong(Piece::bytes).sum();
        }

        public Optional<Instant> begin() {
            return pieces.get(0).begin();
        }

        public Optional<Instant> lastWrite() {
            return pieces.stream().flatMap(piece -> piece.lastWrite().stream()).max(Comparator.naturalOrder());
        }

        public boolean has(Appended content) {
            return pieces.stream().anyMatch(piece -> piece.appended().contains(content));
        }

        private boolean isSame(StoredName file) {
            return file.log() == number && file.systemId() == systemId;
        }

        /**
         * The first file to read: a {@code .ulg} if there is one, because it also contains what the {@code .bin}
         * contains.
         */
        public String file() {
            return leading().get(0);
        }

        /** The last file to read of the same kind. */
        public String lastFile() {
            List<String> files = leading();
            return files.get(files.size() - 1);
        }

        private List<String> leading() {
            LogKind leading =
                    pieces.stream().map(Log::kind).reduce(LogKind::leading).orElseThrow();
            return pieces.stream()
                    .filter(piece -> kind(piece) == leading)
                    .map(Piece::name)
                    .toList();
        }

        private static LogKind kind(Piece piece) {
            return LogKind.of(piece.name()).orElseThrow();
        }

        /** The problems of its files; empty if none is visible. */
        public String problem() {
            return pieces.stream()
                    .filter(piece -> !piece.problem().isEmpty())
                    .map(piece -> pieces.size() == 1 ? piece.problem() : piece.name() + ": " + piece.problem())
                    .collect(Collectors.joining(", "));
        }
    }

    private final FileDisk disk;

    public LogDirectory(FileDisk disk) {
        this.disk = disk;
    }

    /** All logs that this program recorded, oldest first. */
    public List<Log> logs() throws IOException {
        List<Disk.Entry> entries = disk.list();
        Map<String, List<String>> marks = marks(entries);
        List<Piece> pieces = new ArrayList<>();
        for (Disk.Entry entry : entries) {
            Optional<StoredName> name = StoredName.parse(entry.name()).filter(n -> n.kind() != Kind.KEEP_MARK);
            name.ifPresent(n -> pieces.add(piece(entry, n)));
        }
        pieces.sort(Comparator.comparingLong((Piece piece) -> piece.stored().log())
                .thenComparingInt(piece -> piece.stored().systemId())
                .thenComparingLong(piece -> piece.stored().counter())
                .thenComparing(Piece::name));
        List<Log> logs = new ArrayList<>();
        for (int from = 0, to; from < pieces.size(); from = to) {
            StoredName first = pieces.get(from).stored();
            for (to = from + 1;
                    to < pieces.size() && isSame(first, pieces.get(to).stored()); ) {
                to++;
            }
            logs.add(new Log(
                    first.systemId(), first.log(), marks.containsKey(first.identity()), pieces.subList(from, to)));
        }
        return List.copyOf(logs);
    }

    private static boolean isSame(StoredName one, StoredName other) {
        return one.log() == other.log() && one.systemId() == other.systemId();
    }

    /** The marks by the identity of their log; several if the log was renamed in between. */
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

    private Piece piece(Disk.Entry entry, StoredName name) {
        Set<Appended> appended = Set.of();
        String problem;
        try {
            ByteBuffer head = AppendedIndex.head(disk, entry.name());
            problem = problem(entry.name(), head);
            appended = AppendedIndex.contents(disk, entry.name(), head);
        } catch (IOException e) {
            problem = "cannot be read";
        }
        return new Piece(
                entry.name(),
                state(entry.name(), name.kind()),
                name.begin(),
                entry.bytes(),
                lastWrite(entry.name()),
                appended,
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
        if (LogKind.of(name).filter(kind -> kind == LogKind.TLOG).isPresent()) {
            boolean isFrame =
                    head.limit() > TlogLayout.TIME_LENGTH && TlogLayout.isFrame(head.get(TlogLayout.TIME_LENGTH));
            return isFrame ? "" : "no MAVLink frame at its beginning";
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
     * Finds a log.
     *
     * @param name of a log or of one of its files, with or without {@code .ulg}, {@code .bin} or {@code .tlog}, or
     *     {@link #LAST}, {@code LAST~1} and so on
     * @throws FileSystemException if there is none
     */
    public Log find(String name) throws IOException {
        List<Log> logs = logs();
        Matcher newest = NEWEST.matcher(name);
        if (newest.matches()) {
            return newest(logs, newest.group(1) == null ? 0 : Integer.parseInt(newest.group(1)));
        }
        return logs.stream()
                .filter(log -> log.pieces().stream().anyMatch(piece -> isMeant(piece, name)))
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException(disk.location() + "/" + finished(name)));
    }

    /**
     * Finds the file to read for a name, or for {@link #LAST}, {@code LAST~1} and so on: the last file of such a log.
     *
     * @return empty if there is no file of that name
     * @throws FileSystemException if there are not that many logs
     */
    public Optional<String> file(String name) throws IOException {
        if (NEWEST.matcher(name).matches()) {
            return Optional.of(find(name).lastFile());
        }
        for (Log log : logs()) {
            for (Piece piece : log.pieces()) {
                if (isMeant(piece, name)) {
                    boolean isWholeLog = LogKind.of(name).isEmpty()
                            && piece.equals(log.pieces().get(0));
                    return Optional.of(isWholeLog ? log.file() : piece.name());
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isMeant(Piece piece, String name) {
        boolean isAnyKind = LogKind.of(name).isEmpty();
        return isAnyKind
                ? LogKind.stem(piece.name()).equals(name)
                : finished(piece.name()).equals(finished(name));
    }

    private Log newest(List<Log> logs, int before) throws IOException {
        if (before < logs.size()) {
            return logs.get(logs.size() - 1 - before);
        }
        String reason = logs.isEmpty() ? "no logs" : "has only " + Words.count(logs.size(), "log");
        throw new FileSystemException(disk.location(), null, reason);
    }

    /** Whether this may name a log: {@link #LAST}, or a name in this program's form. */
    public static boolean isName(String name) {
        return NEWEST.matcher(name).matches()
                || StoredName.parse(finished(name))
                        .filter(parsed -> parsed.kind() == Kind.FINISHED)
                        .isPresent();
    }

    /** The identity that the files of a log and its mark share; empty for a name that is not in this program's form. */
    public static Optional<String> identity(String file) {
        return StoredName.parse(file).map(StoredName::identity);
    }

    private static String finished(String name) {
        String whole = LogKind.withoutState(name);
        return LogKind.of(whole).isPresent() ? whole : whole + StoredName.FINISHED_SUFFIX;
    }

    /** Marks all files of a log so that they are never deleted; returns false if the log was marked before. */
    public boolean keep(Log log) throws IOException {
        if (log.isKept()) {
            return false;
        }
        String first = log.pieces().get(0).name();
        String mark = finished(first) + StoredName.KEEP_SUFFIX;
        try {
            disk.create(mark).close();
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        disk.forceNames();
        // The recorder may just have deleted it.
        boolean isThere = disk.list().stream()
                .flatMap(entry -> StoredName.parse(entry.name()).stream())
                .anyMatch(name -> name.kind() != Kind.KEEP_MARK && log.isSame(name));
        if (!isThere) {
            disk.delete(mark);
            throw new NoSuchFileException(disk.location() + "/" + first, null, "was deleted meanwhile");
        }
        return true;
    }

    /** Removes the mark; returns false if there was none. */
    public boolean unkeep(Log log) throws IOException {
        List<Disk.Entry> entries = disk.list();
        String identity = log.pieces().get(0).stored().identity();
        List<String> marks = marks(entries).getOrDefault(identity, List.of());
        for (String mark : marks) {
            disk.delete(mark);
        }
        if (!marks.isEmpty()) {
            disk.forceNames();
        }
        return !marks.isEmpty();
    }

    /**
     * Deletes all files of a log that exist now. Refused if the log is being written or is kept.
     *
     * @throws FileSystemException if it is refused, the log is gone, or a file cannot be deleted
     */
    public void delete(Log log) throws IOException {
        String place = disk.location() + "/" + log.name();
        Log now = logs().stream()
                .filter(other -> other.number() == log.number() && other.systemId() == log.systemId())
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException(place));
        String refusal = refusal(now);
        if (!refusal.isEmpty()) {
            throw new FileSystemException(place, null, refusal);
        }
        for (Piece piece : now.pieces()) {
            disk.delete(piece.name());
        }
        disk.forceNames();
    }

    /** Why a log cannot be deleted; empty if it can. */
    public static String refusal(Log log) {
        if (log.isKept()) {
            return "is kept";
        }
        return log.state() == State.GROWING ? "is being written" : "";
    }
}
