package org.mavlogd.store;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed name of a file in the log directory. Only names in this program's form are understood; other files are
 * ignored.
 *
 * @param time start from the name, {@code 2026-11-21_14-03-59}, or zeros if the clock was not set
 * @param systemId of the vehicle, or {@link LogName#NO_SYSTEM}
 * @param log the counter of the log's first file, which is in the names of all its files
 * @param counter rises with every file of the directory, so it gives the order of logs whatever the clock was
 */
record StoredName(String time, int systemId, long log, long counter, Kind kind) {
    /** The kind of a file. */
    enum Kind {
        FINISHED,
        /** Being written, or left unfinished by a run that crashed. */
        UNFINISHED,
        /** Unfinished, and set aside, because reading it failed or ended the program. */
        UNREAD,
        /** Marks the log with the same counter as never to be deleted. */
        KEEP_MARK
    }

    static final String FINISHED_SUFFIX = ".ulg";
    static final String KEEP_SUFFIX = ".keep";

    private static final int SYSTEMS = 1000;
    private static final String SYSTEM = "sys";
    private static final int SYSTEM_AT = "uuuu-MM-dd_HH-mm-ss_".length();
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd_HH-mm-ss", Locale.ROOT);
    private static final Pattern OURS = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2}_\\d{2}-\\d{2}-\\d{2})_(?:sys(\\d{3})|local)_(?:(\\d{6,18})_)?(\\d{6,18})\\.(?:ulg|bin|tlog)(\\.part|\\.keep|\\.unread)?");

    static Optional<StoredName> parse(String name) {
        Matcher matcher = OURS.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String counter = matcher.group(4);
        String log = matcher.group(3);
        return Optional.of(new StoredName(
                matcher.group(1),
                systemId(matcher.group(2)),
                Long.parseLong(log == null ? counter : log),
                Long.parseLong(counter),
                kind(matcher.group(5))));
    }

    // Null if the pattern has no such part.
    private static int systemId(@Nullable String digits) {
        return digits == null ? LogName.NO_SYSTEM : Integer.parseInt(digits);
    }

    /**
     * The system id of a name in this program's form. Retention calls this often, and a pattern would take longer than
     * everything else.
     */
    static int systemIdOf(String name) {
        return name.startsWith(SYSTEM, SYSTEM_AT)
                ? Integer.parseInt(
                        name, SYSTEM_AT + SYSTEM.length(), SYSTEM_AT + SYSTEM.length() + LogName.SYSTEM_DIGITS, 10)
                : LogName.NO_SYSTEM;
    }

    private static Kind kind(@Nullable String suffix) {
        if (suffix == null) {
            return Kind.FINISHED;
        }
        return switch (suffix) {
            case KEEP_SUFFIX -> Kind.KEEP_MARK;
            case LogKind.UNREAD -> Kind.UNREAD;
            default -> Kind.UNFINISHED;
        };
    }

    /** UTC of the start; empty if the clock was not set, or if there is no such time. */
    Optional<Instant> begin() {
        try {
            return Optional.of(LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The names of marks that the log with this file may have, by its present name. */
    List<String> markNames(String fileName) {
        String source =
                systemId == LogName.NO_SYSTEM ? "local" : "sys" + LogName.padded(systemId, LogName.SYSTEM_DIGITS);
        String first = time + '_' + source + '_' + LogName.padded(log, LogName.COUNTER_DIGITS);
        List<String> names = new ArrayList<>();
        names.add(LogKind.withoutState(fileName) + KEEP_SUFFIX);
        for (LogKind other : LogKind.values()) {
            names.add(other.finished(first) + KEEP_SUFFIX);
        }
        return names;
    }

    /** A key that all files of a log and its mark share; two logs practically never have the same. */
    long identityKey() {
        return log * SYSTEMS + systemId;
    }

    /**
     * The identity of the log, which all its files and its mark share, also if they were renamed after its true time
     * became known.
     */
    String identity() {
        return LogName.padded(systemId, LogName.SYSTEM_DIGITS) + '/' + log;
    }
}
