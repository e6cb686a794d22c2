package org.mavlogd.fetch;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file name of a vehicle's own log: {@code 2026-11-20_12-34-56_sys001_log00042.bin}, without the time if the
 * vehicle reports none. It consists of numbers only, so that data from outside never chooses a path, and differs from
 * all names of recorded logs.
 */
public final class FetchedLogName {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd_HH-mm-ss_", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern WITH_LENGTH = Pattern.compile(
            "(\\d{4}-\\d{2}-\\d{2}_\\d{2}-\\d{2}-\\d{2}_)?sys(\\d{3})_log\\d{5}_\\d{1,10}\\.(?:bin|ulg)");
    // GNSS clocks without a fix start in 1980; boards without GNSS in 1970.
    private static final long EARLIEST_S = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final long LATEST_S = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

    private FetchedLogName() {}

    public static String of(FetchTarget vehicle, RemoteLog log) {
        String time = isTime(log.utcS()) ? TIME.format(Instant.ofEpochSecond(log.utcS())) : "";
        String suffix = vehicle.isArduPilot() ? "bin" : "ulg";
        return String.format(Locale.ROOT, "%ssys%03d_log%05d.%s", time, vehicle.systemId(), log.id(), suffix);
    }

    /**
     * The same with the length appended, {@code sys001_log00042_1376768.bin}: a log that has become longer gets another
     * name, and so does a log with the id of an erased one.
     */
    static String withLength(FetchTarget vehicle, RemoteLog log) {
        String name = of(vehicle, log);
        int dot = name.lastIndexOf('.');
        return name.substring(0, dot) + '_' + log.length() + name.substring(dot);
    }

    /** Whether the name is in the form of {@link #withLength}. */
    static boolean isWithLength(String name) {
        return WITH_LENGTH.matcher(name).matches();
    }

    /** The MAVLink system id in such a name. */
    static int systemId(String name) {
        return Integer.parseInt(matched(name).group(2));
    }

    /** The time in such a name; empty if there is none. */
    static Optional<Instant> begin(String name) {
        String time = matched(name).group(1);
        try {
            return time == null ? Optional.empty() : Optional.of(TIME.parse(time, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty(); // not a name from the recorder
        }
    }

    private static Matcher matched(String name) {
        Matcher matcher = WITH_LENGTH.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("no name of a fetched log: \"" + name + '"');
        }
        return matcher;
    }

    /** Whether it may be a time: vehicles without one report the start of their epoch. */
    public static boolean isTime(long utcS) {
        return utcS >= EARLIEST_S && utcS < LATEST_S;
    }

    /** Identifies the log, for a note. */
    public static String identity(FetchTarget vehicle, RemoteLog log) {
        return (vehicle.isArduPilot() ? "ardupilot " : "px4 ") + vehicle.systemId() + " id " + log.id() + " utc "
                + log.utcS() + " path " + log.path();
    }
}
