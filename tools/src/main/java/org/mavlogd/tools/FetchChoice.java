package org.mavlogd.tools;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.mavlogd.fetch.FetchClient;
import org.mavlogd.fetch.FetchTarget;
import org.mavlogd.fetch.FetchedLogName;
import org.mavlogd.fetch.RemoteLog;

/**
 * Selects the logs that the words of the command name, or lists all. Runs on the link's thread; read after that has
 * ended.
 */
final class FetchChoice implements FetchFiles.Choice {
    static final String LAST = "LAST";
    private static final double BYTES_PER_MB = 1e6;

    private final List<String> words;
    private final boolean isBesideRecorder;
    private final FetchFiles.Teller teller;
    private final PrintWriter out;
    private boolean isUnknown;
    private boolean isWithout;

    /**
     * Creates the choice.
     *
     * @param words LAST or ids; none for the list
     */
    FetchChoice(List<String> words, boolean isBesideRecorder, FetchFiles.Teller teller, PrintWriter out) {
        this.words = List.copyOf(words);
        this.isBesideRecorder = isBesideRecorder;
        this.teller = teller;
        this.out = out;
    }

    /** Whether an unknown id was requested. */
    boolean isUnknown() {
        return isUnknown;
    }

    /** Whether the newest log was requested and there is none. */
    boolean isWithout() {
        return isWithout;
    }

    @Override
    public List<RemoteLog> choose(FetchTarget vehicle, List<RemoteLog> logs, FetchClient.Way way) {
        if (words.isEmpty()) {
            print(logs, way);
            return List.of();
        }
        Map<Integer, RemoteLog> byId = new TreeMap<>();
        logs.forEach(log -> byId.put(log.id(), log));
        Set<RemoteLog> chosen = new LinkedHashSet<>();
        for (String word : words) {
            Optional<RemoteLog> found =
                    word.equals(LAST) ? vehicle.newest(logs) : Optional.ofNullable(byId.get(Integer.parseInt(word)));
            found.ifPresentOrElse(chosen::add, () -> onNone(word));
        }
        if (!chosen.isEmpty()) {
            tellWhatItCosts(vehicle, way);
        }
        return List.copyOf(chosen);
    }

    private void onNone(String word) {
        isWithout |= word.equals(LAST);
        isUnknown |= !word.equals(LAST);
        teller.warn(word.equals(LAST) ? "the vehicle has no log" : "there is no log " + word + ": --list shows all");
    }

    private void tellWhatItCosts(FetchTarget vehicle, FetchClient.Way way) {
        if (way == FetchClient.Way.MESSAGES && vehicle.isArduPilot()) {
            teller.say("by log messages: until this ends, the ArduPilot logs nothing, streams no log and does not arm");
        } else if (way == FetchClient.Way.FTP && !vehicle.isArduPilot() && isBesideRecorder) {
            teller.say("the PX4 is not asked for checksums: it would not hear the recorder while it computes them");
        }
    }

    private void print(List<RemoteLog> logs, FetchClient.Way way) {
        if (!logs.isEmpty()) {
            out.printf(Locale.ROOT, "%5s  %20s  %10s  %s%n", "ID", "UTC", "MB", "ON THE VEHICLE");
        }
        for (RemoteLog log : logs) {
            String time = FetchedLogName.isTime(log.utcS())
                    ? Instant.ofEpochSecond(log.utcS()).toString()
                    : "unknown";
            out.printf(Locale.ROOT, "%5d  %20s  %10.3f  %s%n", log.id(), time, log.length() / BYTES_PER_MB, log.path());
        }
        long bytes = logs.stream().mapToLong(RemoteLog::length).sum();
        out.printf(
                Locale.ROOT,
                "%d %s, %.1f MB, by %s%n",
                logs.size(),
                logs.size() == 1 ? "log" : "logs",
                bytes / BYTES_PER_MB,
                way.text());
        out.flush();
    }
}
