package org.mavlogd.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a log file: {@code 2026-11-21_14-03-59_sys001_000042.ulg}, {@code .bin} or {@code .tlog}, with
 * {@code .part} appended while it is unfinished. A further file of the same log has the first file's counter before its
 * own: {@code 2026-11-21_14-03-59_sys001_000042_000043.ulg}.
 *
 * <p>The parts are the UTC time of the log's start, the MAVLink system id, or {@code local} in place of {@code sys001}
 * for a log of this computer only, and a counter that rises with every file of the directory. Names sort by time. While
 * the clock is not set the time is {@code 0000-00-00_00-00-00}, and the counter keeps names unique and in order. No
 * part of a name comes from the stream's bytes.
 */
public final class LogName {
    static final String FINISHED_SUFFIX = ".ulg";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd_HH-mm-ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String CLOCK_NOT_SET = "0000-00-00_00-00-00";
    // This program never recorded a log before: a clock with an earlier time was never set. Nor with a much later one.
    private static final long EARLIEST_TRUE_MS =
            Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final long LATEST_TRUE_MS =
            Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
    private static final Pattern OURS = Pattern.compile(
            "\\d{4}-\\d{2}-\\d{2}_\\d{2}-\\d{2}-\\d{2}_(?:sys\\d{3}|local)_(?:\\d{6,18}_)?(\\d{6,18})\\.(?:ulg|bin|tlog)(\\.part)?");

    /** The system id of a log without a vehicle: MAVLink's broadcast id, which no vehicle has. */
    public static final int NO_SYSTEM = 0;

    // No directory gets so far by counting: such a name is an error, and the next number might overflow.
    private static final long MAX_COUNTER = 100_000_000_000_000_000L;
    private static final int MAX_SYSTEM = 255;
    static final int SYSTEM_DIGITS = 3;
    static final int COUNTER_DIGITS = 6;

    private LogName() {}

    /** The name without suffix; {@code systemId} may be {@link #NO_SYSTEM}. */
    static String stem(long epochMs, int systemId, long counter) {
        String source = systemId == NO_SYSTEM ? "local" : "sys" + padded(systemId, SYSTEM_DIGITS);
        return time(epochMs) + '_' + source + '_' + padded(counter, COUNTER_DIGITS);
    }

    /**
     * The same for a further file of a log, whose first file has the counter {@code log}; {@link LogNumber#NONE} for
     * the first file.
     */
    static String stem(long epochMs, int systemId, long log, long counter) {
        return log == LogNumber.NONE
                ? stem(epochMs, systemId, counter)
                : stem(epochMs, systemId, log) + '_' + padded(counter, COUNTER_DIGITS);
    }

    // Not String.format, which at first loads 80 classes for locales, while a vehicle waits for its first acks.
    static String padded(long number, int digits) {
        String text = Long.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    private static String time(long epochMs) {
        return isBelievable(epochMs) ? TIME.format(Instant.ofEpochMilli(epochMs)) : CLOCK_NOT_SET;
    }

    /** Whether a clock with this time was set. */
    public static boolean isBelievable(long epochMs) {
        return epochMs >= EARLIEST_TRUE_MS && epochMs < LATEST_TRUE_MS;
    }

    /** Whether this program gave the name while the clock was not set. */
    public static boolean lacksTime(String name) {
        return counter(name).isPresent() && name.startsWith(CLOCK_NOT_SET);
    }

    /** The same name, finished or not, with this time of the log's start; vehicle and counter stay. */
    public static String withTime(String name, long beginEpochMs) {
        if (counter(name).isEmpty()) {
            throw new IllegalArgumentException("not a name of a log of mavlogd: \"" + name + '"');
        }
        return time(beginEpochMs) + name.substring(CLOCK_NOT_SET.length());
    }

    /** The stem of a name in this program's form. */
    static String stem(String name) {
        return name.substring(0, name.indexOf('.'));
    }

    /** The stem of an unfinished file's name; empty for any other name. */
    public static Optional<String> unfinishedStem(String name) {
        boolean isUnfinished = OURS.matcher(name).matches() && name.endsWith(LogKind.PART);
        return isUnfinished ? Optional.of(stem(name)) : Optional.empty();
    }

    /** Whether the stem is in this program's form. */
    public static boolean isStem(String stem) {
        return OURS.matcher(stem + FINISHED_SUFFIX).matches();
    }

    /**
     * The MAVLink system id in the name of a file; {@link #NO_SYSTEM} if it is not a vehicle's log, or out of range.
     */
    public static int systemIdOf(String fileName) {
        return StoredName.parse(fileName)
                .map(StoredName::systemId)
                .filter(systemId -> systemId <= MAX_SYSTEM)
                .orElse(NO_SYSTEM);
    }

    /** The counter in the name of a file, finished or not, or of a mark; 0 for any other name, or if out of range. */
    public static long counterOf(String fileName) {
        return StoredName.parse(fileName)
                .map(StoredName::counter)
                .filter(counter -> counter < MAX_COUNTER)
                .orElse(0L);
    }

    /** When the log began, in milliseconds since 1970, by the name of a file; empty if that lacks the time. */
    public static OptionalLong beganMs(String fileName) {
        return StoredName.parse(fileName)
                .flatMap(StoredName::begin)
                .map(Instant::toEpochMilli)
                .filter(LogName::isBelievable)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** An identity that all files of a log share; for any other name the name itself. */
    public static String logOf(String fileName) {
        return StoredName.parse(fileName).map(StoredName::identity).orElse(fileName);
    }

    /** Whether it is the name of a finished ULog. */
    public static boolean isULog(String fileName) {
        return fileName.endsWith(FINISHED_SUFFIX);
    }

    /** The counter in a name in this program's form, finished or not; empty for any other name. */
    static OptionalLong counter(String name) {
        Matcher matcher = OURS.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /**
     * The number that the names of all files of one log share: the counter of its first file. A flight may have several
     * files, of different kinds and one after the other. Owned by the recorder's thread.
     */
    public static final class LogNumber {
        static final long NONE = 0;

        private long value = NONE;

        /** {@link #NONE} before the first file. */
        long value() {
            return value;
        }

        /** A file of the log was created, with this counter. */
        void onFile(long counter) {
            if (value == NONE) {
                value = counter;
            }
        }

        /** The log continues in a file of an earlier run. */
        public void resume(String fileName) {
            StoredName.parse(fileName).ifPresent(name -> onFile(name.log()));
        }
    }
}
