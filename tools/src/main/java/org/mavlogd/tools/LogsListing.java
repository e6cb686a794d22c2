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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.mavlogd.cli.Colours;
import org.mavlogd.fetch.FetchedLogs;
import org.mavlogd.status.UploadReport;
import org.mavlogd.store.Appended;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.store.LogDirectory.Log;
import org.mavlogd.store.LogDirectory.Piece;
import org.mavlogd.store.LogKind;
import org.mavlogd.store.LogName;
import org.mavlogd.store.SpaceLimits;
import org.mavlogd.text.Words;
import org.mavlogd.wiring.FetchAfterFlight;

/** The logs of a directory as a table for people, or as one JSON object. */
final class LogsListing {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ROW = "%-48s %-19s %7s %10s  %s%n";

    private final FileDisk disk;
    private final List<Log> logs;
    private final List<FetchedLogs.Log> fetched;
    private final Optional<SpaceLimits> limits;
    private final Optional<UploadReport> uploads;

    /** @param uploads empty if the uploader never ran */
    LogsListing(
            FileDisk disk,
            List<Log> logs,
            List<FetchedLogs.Log> fetched,
            Optional<SpaceLimits> limits,
            Optional<UploadReport> uploads) {
        this.disk = disk;
        this.logs = logs;
        this.fetched = fetched;
        this.limits = limits;
        this.uploads = uploads;
    }

    private long totalBytes() {
        return logs.stream().mapToLong(Log::bytes).sum();
    }

    private long fetchedBytes() {
        return fetched.stream().mapToLong(FetchedLogs.Log::bytes).sum();
    }

    void print(PrintWriter out, Colours colours) {
        if (!logs.isEmpty() || !fetched.isEmpty()) {
            out.printf(Locale.ROOT, ROW, "LOG", "START (UTC)", "VEHICLE", "SIZE", "STATE");
        }
        for (Log log : logs) {
            row(out, log.name(), log.begin(), "clock not set", log.systemId(), log.bytes(), coloured(log, colours));
        }
        for (FetchedLogs.Log log : fetched) {
            row(out, log.name(), log.begin(), "unknown", log.systemId(), log.bytes(), state(log));
        }
        out.println(count() + ", " + Words.bytes(totalBytes()) + " in " + disk.location() + "; " + free());
        if (!fetched.isEmpty()) {
            out.println("fetched from vehicles: " + Words.count(fetched.size(), "log") + ", "
                    + Words.bytes(fetchedBytes()));
        }
        limits.ifPresent(limit -> out.println("deleted when old: " + text(limit.on(disk.totalBytes()))));
        uploads.ifPresent(report -> out.println(report.summary()));
    }

    private static void row(
            PrintWriter out,
            String name,
            Optional<Instant> begin,
            String withoutBegin,
            int systemId,
            long bytes,
            String state) {
        out.printf(
                Locale.ROOT,
                ROW,
                name,
                begin.map(UTC::format).orElse(withoutBegin),
                systemId == LogName.NO_SYSTEM ? "none" : Integer.toString(systemId),
                Words.bytes(bytes),
                state);
    }

    private String count() {
        int files = logs.stream().mapToInt(log -> log.pieces().size()).sum();
        return Words.count(logs.size(), "log") + (files == logs.size() ? "" : " in " + files + " files");
    }

    private String free() {
        return disk.usableBytes() == Long.MAX_VALUE
                ? "free space not known"
                : Words.bytes(disk.usableBytes()) + " of " + Words.bytes(disk.totalBytes()) + " free";
    }

    private static String text(SpaceLimits limit) {
        StringJoiner text = new StringJoiner(", ");
        if (limit.keepFreeBytes() > 0) {
            text.add("below " + SpaceLimits.text(limit.keepFreeBytes()) + " free");
        }
        if (limit.maxTotalBytes() > 0) {
            text.add("above " + mebi(limit.maxTotalBytes()) + " MiB together");
        }
        if (limit.maxFiles() > 0) {
            text.add("above " + limit.maxFiles() + " logs");
        }
        return (text.length() == 0 ? "never" : text) + "; recording pauses below "
                + SpaceLimits.text(limit.reserveBytes()) + " free";
    }

    private static long mebi(long bytes) {
        return bytes >> 20;
    }

    private String coloured(Log log, Colours colours) {
        String state = state(log);
        if (!log.problem().isEmpty() || log.has(Appended.CRASH_DATA)) {
            return colours.bad(state);
        }
        return switch (log.state()) {
            case GROWING -> colours.good(state);
            case LEFT_OVER, UNREAD -> colours.doubtful(state);
            case FINISHED -> state;
        };
    }

    private String state(Log log) {
        StringJoiner state = new StringJoiner(", ");
        state.add(word(log.state()));
        if (log.pieces().size() > 1) {
            state.add(kinds(log));
        }
        if (log.isKept()) {
            state.add("kept");
        }
        if (log.has(Appended.CRASH_DATA)) {
            state.add("crash data");
        }
        if (log.has(Appended.REMARKS)) {
            state.add("remarks");
        }
        upload(log).ifPresent(its -> state.add(word(its)));
        if (!log.problem().isEmpty()) {
            state.add(log.problem());
        }
        return state.toString();
    }

    /** The state of a log is that of the file with the least progress. */
    private Optional<UploadReport.State> upload(Log log) {
        return uploads.flatMap(report -> log.pieces().stream()
                .flatMap(piece -> report.of(piece.name()).stream())
                .max(Comparator.naturalOrder()));
    }

    private static String word(UploadReport.State state) {
        return switch (state) {
            case UPLOADED -> "uploaded";
            case UPLOADING -> "uploading";
            case WAITING -> "not uploaded";
            case FAILED -> "upload failed";
        };
    }

    /** The files of a log, such as {@code .bin and 2 .ulg}. */
    private static String kinds(Log log) {
        Map<String, Integer> kinds = new TreeMap<>();
        for (Piece piece : log.pieces()) {
            LogKind.of(piece.name()).ifPresent(kind -> kinds.merge(kind.finished(""), 1, Integer::sum));
        }
        StringJoiner text = new StringJoiner(" and ");
        kinds.forEach((kind, files) -> text.add(files == 1 ? kind : files + " " + kind));
        return text.toString();
    }

    private static String state(FetchedLogs.Log log) {
        return (log.isWhole() ? "fetched" : "incomplete") + (log.isKept() ? ", kept" : "");
    }

    private static String word(LogDirectory.State state) {
        return switch (state) {
            case GROWING -> "recording";
            case LEFT_OVER -> "unfinished";
            case UNREAD -> "unread";
            case FINISHED -> "finished";
        };
    }

    void printJson(PrintWriter out) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writeStringField("directory", disk.location());
            logs(json);
            json.writeNumberField("logs_bytes", totalBytes());
            json.writeNumberField("fetched_bytes", fetchedBytes());
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

    /** Recorded logs, followed by fetched ones. */
    private void logs(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("logs");
        for (Log log : logs) {
            log(json, log);
        }
        for (FetchedLogs.Log log : fetched) {
            log(json, log);
        }
        json.writeEndArray();
    }

    private void log(JsonGenerator json, Log log) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", log.name());
        json.writeStringField("file", log.file());
        json.writeStringField("state", word(log.state()));
        json.writeNumberField("system_id", log.systemId());
        json.writeNumberField("log", log.number());
        json.writeNumberField("bytes", log.bytes());
        instant(json, "begin_utc", log.begin());
        instant(json, "last_write_utc", log.lastWrite());
        json.writeBooleanField("kept", log.isKept());
        json.writeBooleanField("crash_data", log.has(Appended.CRASH_DATA));
        json.writeBooleanField("remarks", log.has(Appended.REMARKS));
        json.writeStringField("problem", log.problem());
        json.writeStringField(
                "upload",
                upload(log).map(state -> state.name().toLowerCase(Locale.ROOT)).orElse(null));
        pieces(json, log.pieces());
        json.writeEndObject();
    }

    private static void pieces(JsonGenerator json, List<Piece> pieces) throws IOException {
        json.writeArrayFieldStart("files");
        for (Piece piece : pieces) {
            json.writeStartObject();
            json.writeStringField("file", piece.name());
            json.writeStringField("state", word(piece.state()));
            json.writeNumberField("bytes", piece.bytes());
            instant(json, "begin_utc", piece.begin());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** A fetched log, with the fields that it shares with recorded logs. */
    private static void log(JsonGenerator json, FetchedLogs.Log log) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", log.name());
        json.writeStringField("file", FetchAfterFlight.DIRECTORY + "/" + log.name());
        json.writeStringField("state", log.isWhole() ? "fetched" : "incomplete");
        json.writeNumberField("system_id", log.systemId());
        json.writeNumberField("bytes", log.bytes());
        instant(json, "begin_utc", log.begin());
        instant(json, "last_write_utc", log.lastWrite());
        json.writeBooleanField("kept", log.isKept());
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
