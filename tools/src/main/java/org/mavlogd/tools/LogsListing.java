package org.mavlogd.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory.Log;
import org.mavlogd.store.LogName;
import org.mavlogd.store.SpaceLimits;

/** The logs of a directory as a table for people, or as one JSON object. */
final class LogsListing {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ROW = "%-48s %-19s %7s %10s  %s%n";
    private static final double BYTES_PER_MB = 1e6;

    private final FileDisk disk;
    private final List<Log> logs;
    private final Optional<SpaceLimits> limits;

    LogsListing(FileDisk disk, List<Log> logs, Optional<SpaceLimits> limits) {
        this.disk = disk;
        this.logs = logs;
        this.limits = limits;
    }

    private long totalBytes() {
        return logs.stream().mapToLong(Log::bytes).sum();
    }

    void print(PrintWriter out) {
        if (!logs.isEmpty()) {
            out.printf(Locale.ROOT, ROW, "LOG", "BEGIN (UTC)", "VEHICLE", "SIZE", "STATE");
        }
        for (Log log : logs) {
            out.printf(
                    Locale.ROOT,
                    ROW,
                    log.name(),
                    log.begin().map(UTC::format).orElse("clock not set"),
                    log.systemId() == LogName.NO_SYSTEM ? "none" : Integer.toString(log.systemId()),
                    megabytes(log.bytes()),
                    state(log));
        }
        out.println(count() + ", " + megabytes(totalBytes()) + " in " + disk.location() + "; " + free());
        limits.ifPresent(limit -> out.println("deleted when old: " + text(limit)));
    }

    private String count() {
        long distinct = logs.stream()
                .map(log -> log.systemId() + "/" + log.log())
                .distinct()
                .count();
        return distinct
                + (distinct == 1 ? " log" : " logs")
                + (distinct == logs.size() ? "" : " in " + logs.size() + " files");
    }

    private String free() {
        return disk.usableBytes() == Long.MAX_VALUE
                ? "free space not known"
                : megabytes(disk.usableBytes()) + " of " + megabytes(disk.totalBytes()) + " free";
    }

    private static String text(SpaceLimits limit) {
        StringJoiner text = new StringJoiner(", ");
        if (limit.keepFreeBytes() > 0) {
            text.add("below " + mebi(limit.keepFreeBytes()) + " MiB free");
        }
        if (limit.maxTotalBytes() > 0) {
            text.add("above " + mebi(limit.maxTotalBytes()) + " MiB together");
        }
        if (limit.maxFiles() > 0) {
            text.add("above " + limit.maxFiles() + " logs");
        }
        return (text.length() == 0 ? "never" : text) + "; recording pauses below " + mebi(limit.reserveBytes())
                + " MiB free";
    }

    private static long mebi(long bytes) {
        return bytes >> 20;
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MB", bytes / BYTES_PER_MB);
    }

    private static String state(Log log) {
        StringJoiner state = new StringJoiner(", ");
        state.add(word(log).replace('_', ' '));
        if (log.isKept()) {
            state.add("kept");
        }
        if (log.hasAppended()) {
            state.add("crash data");
        }
        if (!log.problem().isEmpty()) {
            state.add(log.problem());
        }
        return state.toString();
    }

    private static String word(Log log) {
        return log.state().name().toLowerCase(Locale.ROOT);
    }

    void printJson(PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("directory", disk.location());
            json.writeArrayFieldStart("logs");
            for (Log log : logs) {
                log(json, log);
            }
            json.writeEndArray();
            json.writeNumberField("logs_bytes", totalBytes());
            known(json, "usable_bytes", disk.usableBytes());
            known(json, "total_bytes", disk.totalBytes());
            if (limits.isPresent()) {
                limits(json, limits.get());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter does not fail
        }
        out.println(text);
    }

    private static void log(JsonGenerator json, Log log) throws IOException {
        json.writeStartObject();
        json.writeStringField("file", log.name());
        json.writeStringField("state", word(log));
        json.writeNumberField("system_id", log.systemId());
        json.writeNumberField("log", log.log());
        json.writeNumberField("counter", log.counter());
        json.writeNumberField("bytes", log.bytes());
        instant(json, "begin_utc", log.begin());
        instant(json, "last_write_utc", log.lastWrite());
        json.writeBooleanField("kept", log.isKept());
        json.writeBooleanField("crash_data", log.hasAppended());
        json.writeStringField("problem", log.problem());
        json.writeEndObject();
    }

    private static void limits(JsonGenerator json, SpaceLimits limit) throws IOException {
        json.writeObjectFieldStart("limits");
        json.writeNumberField("keep_free_mib", mebi(limit.keepFreeBytes()));
        json.writeNumberField("max_total_mib", mebi(limit.maxTotalBytes()));
        json.writeNumberField("max_files", limit.maxFiles());
        json.writeNumberField("reserve_mib", mebi(limit.reserveBytes()));
        json.writeEndObject();
    }

    private static void instant(JsonGenerator json, String name, Optional<Instant> time) throws IOException {
        if (time.isPresent()) {
            json.writeStringField(
                    name, time.get().truncatedTo(ChronoUnit.SECONDS).toString());
        } else {
            json.writeNullField(name);
        }
    }

    private static void known(JsonGenerator json, String name, long bytes) throws IOException {
        if (bytes == Long.MAX_VALUE) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, bytes);
        }
    }
}
