package org.mavlogd.app;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.RemoteLog;

/**
 * What a vehicle's own log is called here: {@code 2026-11-20_12-34-56_sys001_log00042.bin}, without the time where the vehicle
 * does not tell one. Made of numbers only, so that nothing from outside chooses a path; no name that the recorder gives.
 */
final class FetchedLogName {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd_HH-mm-ss_", Locale.ROOT).withZone(ZoneOffset.UTC);
    // GNSS clocks without a fix begin in 1980; boards without any, in 1970.
    private static final long EARLIEST_S = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final long LATEST_S = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

    private FetchedLogName() {}

    static String of(FetchTarget vehicle, RemoteLog log) {
        String time = isTime(log.utcS()) ? TIME.format(Instant.ofEpochSecond(log.utcS())) : "";
        String suffix = vehicle.isArduPilot() ? "bin" : "ulg";
        return String.format(Locale.ROOT, "%ssys%03d_log%05d.%s", time, vehicle.systemId(), log.id(), suffix);
    }

    static boolean isTime(long utcS) {
        return utcS >= EARLIEST_S && utcS < LATEST_S;
    }

    /** Says in a note which log it is. */
    static String identity(FetchTarget vehicle, RemoteLog log) {
        return (vehicle.isArduPilot() ? "ardupilot " : "px4 ") + vehicle.systemId() + " id " + log.id() + " utc "
                + log.utcS() + " path " + log.path();
    }
}
