package org.mavlogd.fetch;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.memory.MemoryShare;

/**
 * The log files in a vehicle's directories, in the order of their start by their names. They get the ids 1, 2, 3, which
 * for ArduPilot are those of its own list. Owned by the link's thread.
 */
final class FoundLogs {
    private static final Pattern ARDUPILOT = Pattern.compile("(\\d{1,8})\\.(?:BIN|bin)");
    private static final Pattern PX4 = Pattern.compile(".+\\.ulg");
    private static final String LAST_NUMBER_FILE = "LASTLOG.TXT";
    private static final long MAX_LAST_NUMBER_LENGTH = 64;
    private static final Pattern DATED = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})/(\\d{2})_(\\d{2})_(\\d{2})\\.ulg");
    private static final int PARTS = 6;

    // Heap for a log besides its path, while it is listed and sorted.
    private static final int LOG_BYTES = 200;

    private record Found(String path, long length, long utcS, long number) {}

    private final Pattern pattern;
    private final boolean isNumbered;
    private final MemoryShare memory;
    private final List<Found> files = new ArrayList<>();
    private String lastNumberFile = "";
    private long lastNumberLength;
    private long lastNumber;

    private FoundLogs(Pattern pattern, boolean isNumbered, MemoryShare memory) {
        this.memory = memory;
        this.pattern = pattern;
        this.isNumbered = isNumbered;
    }

    static FoundLogs ofArduPilot(MemoryShare memory) {
        return new FoundLogs(ARDUPILOT, true, memory);
    }

    static FoundLogs ofPx4(MemoryShare memory) {
        return new FoundLogs(PX4, false, memory);
    }

    /** Returns false if there is no memory for it. */
    boolean add(String directory, String name, long length) {
        String path = directory + '/' + name;
        Matcher matcher = pattern.matcher(name);
        if (matcher.matches()) {
            if (!memory.reserve(LOG_BYTES + path.length())) {
                return false;
            }
            long number = isNumbered ? Long.parseLong(matcher.group(1)) : 0;
            files.add(new Found(path, length, isNumbered ? 0 : utcS(path), number));
        } else if (isNumbered && name.equals(LAST_NUMBER_FILE) && length <= MAX_LAST_NUMBER_LENGTH) {
            lastNumberFile = path;
            lastNumberLength = length;
        }
        return true;
    }

    int count() {
        return files.size();
    }

    /** Whether a file contains the last number; numbers start again after the highest one. */
    boolean hasLastNumber() {
        return lastNumberLength > 0 && !files.isEmpty();
    }

    RemoteLog lastNumberFile() {
        return new RemoteLog(0, lastNumberLength, 0, lastNumberFile);
    }

    /** @param number 0 if not known */
    void lastNumber(long number) {
        lastNumber = number;
    }

    List<RemoteLog> logs() {
        Comparator<Found> order = isNumbered
                ? Comparator.comparing((Found file) -> lastNumber > 0 && file.number() <= lastNumber)
                        .thenComparing(Found::number)
                : Comparator.comparing(Found::utcS).thenComparing(Found::path);
        List<Found> ordered = new ArrayList<>(files);
        ordered.sort(order);
        List<RemoteLog> logs = new ArrayList<>();
        for (Found file : ordered) {
            logs.add(new RemoteLog(logs.size() + 1, file.length(), file.utcS(), file.path()));
        }
        return logs;
    }

    /** The time in a path that PX4 made while it knew the time; 0 for others. */
    private static long utcS(String path) {
        Matcher matcher = DATED.matcher(path);
        if (!matcher.find()) {
            return 0;
        }
        int[] parts = new int[PARTS];
        for (int i = 0; i < PARTS; i++) {
            parts[i] = Integer.parseInt(matcher.group(i + 1));
        }
        try {
            return LocalDateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
                    .toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return 0;
        }
    }
}
