package org.mavlogd.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.TerminalWidth;
import org.mavlogd.text.Words;

/**
 * Formats a status as lines for people. Computes rates from the bytes stored at the previous call. Omits fields that
 * are missing, as with another version of the recorder.
 */
public final class StatusView {
    private static final double MS_PER_S = 1000;
    private static final int MAX_TEXT = 400;

    private final Map<String, Long> bytesBefore = new HashMap<>();
    private long timeBefore;

    /** The lines, of at most {@code columns} characters. */
    public List<String> lines(Map<String, @Nullable Object> status, int columns) {
        List<String> lines = new ArrayList<>();
        long timeMs = number(map(status.get("time")), "epoch_ms");
        List<Object> problems = list(status, "problems");
        lines.add("mavlogd " + text(status, "version") + ", up " + seconds(number(status, "uptime_s")) + ", "
                + (problems.isEmpty() ? "no problems" : Words.count(problems.size(), "problem")));
        maps(status, "links").forEach(link -> lines.add(link(link)));
        maps(status, "forwarding").forEach(link -> lines.add(forwarding(link)));
        List<Map<String, @Nullable Object>> vehicles = maps(status, "vehicles");
        if (vehicles.isEmpty()) {
            lines.add("vehicle    none heard");
        }
        boolean isPaused = text(map(status.get("disk")), "state").equals("paused");
        vehicles.forEach(vehicle -> lines.add(vehicle(vehicle, isPaused)));
        maps(status, "recordings").forEach(recording -> lines.addAll(recording(recording, timeMs)));
        lines.add(disk(map(status.get("disk"))));
        if (status.get("uploads") != null) {
            lines.add("uploads    " + new UploadReport(map(status.get("uploads"))).progress());
        }
        problems.forEach(problem -> lines.add("problem    " + Words.line(String.valueOf(problem), MAX_TEXT)));
        timeBefore = timeMs;
        return lines.stream().map(line -> TerminalWidth.fit(line, columns)).toList();
    }

    private static String link(Map<String, @Nullable Object> link) {
        String detail = text(link, "detail");
        return "link       " + text(link, "name") + "  " + text(link, "state") + "  " + text(link, "type") + ' '
                + text(link, "endpoint") + (detail.isEmpty() ? "" : "  " + detail);
    }

    /** @param isPaused for lack of space: the vehicle's stream is still requested, but discarded */
    private static String vehicle(Map<String, @Nullable Object> vehicle, boolean isPaused) {
        String state = text(vehicle, "state").replace('_', ' ');
        return String.format(
                Locale.ROOT,
                "vehicle    %s %d on %s  %s  %s  heard %.1f s ago",
                text(vehicle, "autopilot"),
                number(vehicle, "system_id"),
                text(vehicle, "link"),
                Boolean.TRUE.equals(vehicle.get("armed")) ? "armed" : "disarmed",
                isPaused && state.equals("recording") ? "paused" : state,
                number(vehicle, "last_heard_age_ms") / MS_PER_S);
    }

    /** Shows the vehicle's bytes of each file: this computer's own arrive even if the vehicle is silent. */
    private List<String> recording(Map<String, @Nullable Object> recording, long timeMs) {
        boolean isVehicle = text(recording, "source").equals("vehicle");
        String whose = isVehicle ? "vehicle " + number(recording, "system_id") : "this computer";
        List<String> lines = new ArrayList<>();
        for (Map<String, @Nullable Object> file : maps(recording, "files")) {
            long stored = number(file, isVehicle ? "vehicle_bytes" : "stored_bytes");
            String key = text(recording, "link") + ' ' + whose + ' ' + text(file, "kind");
            String name = text(file, "file");
            // An older recorder reports only that of the log.
            Map<String, @Nullable Object> timed = file.containsKey("duration_ms") ? file : recording;
            lines.add("recording  " + whose + "  " + rate(key, stored, timeMs) + Words.bytes(stored) + " in "
                    + seconds(number(timed, "duration_ms") / 1000) + "  lost " + lost(file) + "  "
                    + (name.isEmpty() ? "no file" : name));
        }
        return lines;
    }

    private String rate(String key, long stored, long timeMs) {
        Long before = bytesBefore.put(key, stored);
        long ms = timeMs - timeBefore;
        if (before == null || timeBefore == 0 || ms <= 0 || stored < before) {
            return "";
        }
        return String.format(Locale.ROOT, "%.1f KB/s  ", (stored - before) / (double) ms);
    }

    private static String forwarding(Map<String, @Nullable Object> link) {
        return "forward    " + text(link, "link") + "  "
                + Words.count(maps(link, "endpoints").size(), "endpoint")
                + "  received " + number(link, "received_frames")
                + "  sent " + number(link, "sent_frames")
                + "  dropped " + sum(link, "dropped_frames");
    }

    private static long lost(Map<String, @Nullable Object> file) {
        return sum(file, "lost_chunks");
    }

    private static long sum(Map<String, @Nullable Object> fields, String causes) {
        long sum = 0;
        for (Object count : map(fields.get(causes)).values()) {
            sum += count instanceof Number number ? number.longValue() : 0;
        }
        return sum;
    }

    private static String disk(Map<String, @Nullable Object> disk) {
        String room = disk.get("usable_bytes") instanceof Number bytes
                ? Words.bytes(bytes.longValue()) + " usable"
                : "free space not known";
        return "disk       " + text(disk, "state") + "  " + room + "  " + text(disk, "directory");
    }

    private static String seconds(long seconds) {
        return Words.duration(TimeUnit.SECONDS.toMicros(seconds));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> fields ? (Map<String, @Nullable Object>) fields : Map.of();
    }

    private static List<Object> list(Map<String, @Nullable Object> fields, String name) {
        List<Object> values = new ArrayList<>();
        if (fields.get(name) instanceof List<?> elements) {
            elements.forEach(element -> values.add(String.valueOf(element)));
        }
        return values;
    }

    private static List<Map<String, @Nullable Object>> maps(Map<String, @Nullable Object> fields, String name) {
        List<Map<String, @Nullable Object>> values = new ArrayList<>();
        if (fields.get(name) instanceof List<?> elements) {
            elements.forEach(element -> values.add(map(element)));
        }
        return values;
    }

    private static String text(Map<String, @Nullable Object> fields, String name) {
        Object value = fields.get(name);
        return value == null ? "" : Words.line(value.toString(), MAX_TEXT);
    }

    private static long number(Map<String, @Nullable Object> fields, String name) {
        return fields.get(name) instanceof Number number ? number.longValue() : 0;
    }
}
