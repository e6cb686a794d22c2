package org.mavlogd.fleet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.fleet.state.DurableFile;
import org.mavlogd.fleet.state.Transfer;
import org.mavlogd.fleet.state.Transfer.Status;
import org.mavlogd.store.UploaderStatus;

/**
 * Publishes the state of the uploads in files that are replaced atomically: {@value #STATUS} for people and programs,
 * {@value #METRICS}, and {@value #UPLOADED}, from which the recorder knows which logs it may delete. Owned by one
 * thread.
 */
final class Report {
    static final String STATUS = UploadSettings.STATUS;
    static final String METRICS = "metrics.prom";
    static final String UPLOADED = UploadSettings.UPLOADED;

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final double NS_PER_S = 1e9;

    private final Path state;
    private final Shared shared;
    private final List<TargetWorker> workers;
    private long confirmedNs;
    private boolean isKnown;
    private String uploaded = "none yet";
    // The values in the files as they were last written.
    private List<Object> written = List.of();
    private long lastBytes;
    private long lastNs;
    private double bytesPerS;

    Report(Shared shared, List<TargetWorker> workers) {
        this.state = shared.state();
        this.shared = shared;
        this.workers = List.copyOf(workers);
    }

    /**
     * Writes changes. The list survives a power cut; the status need not. Without changes the status only gets a new
     * time, so that its readers know that the uploader runs.
     */
    void write(Backlog backlog, long nowNs) throws IOException {
        measure(nowNs);
        List<Object> now = parts(backlog);
        Path status = state.resolve(STATUS);
        if (!now.equals(written) || !Files.exists(status)) {
            writeUploaded(backlog);
            DurableFile.replace(status, status(backlog));
            DurableFile.replace(state.resolve(METRICS), metrics(backlog));
            written = now;
            confirmedNs = nowNs;
        } else if (nowNs - confirmedNs >= TimeUnit.SECONDS.toNanos(UploaderStatus.CONFIRM_S)) {
            Files.setLastModifiedTime(status, FileTime.from(Instant.now()));
            confirmedNs = nowNs;
        }
    }

    /**
     * All values in the files. They are compared each second, because making the contents takes too long with very many
     * logs.
     */
    private List<Object> parts(Backlog backlog) {
        List<Object> parts = new ArrayList<>(List.of(
                backlog,
                shared.permission().problem(),
                Math.round(bytesPerS),
                shared.rate().totalBytes(),
                shared.facts().problems()));
        for (TargetWorker worker : workers) {
            parts.add(worker.snapshot());
            parts.add(worker.changes());
            parts.add(worker.knows(backlog));
        }
        return parts;
    }

    /** Until the notes of all logs are read, the list of an earlier run is kept: the files in it have arrived. */
    private void writeUploaded(Backlog backlog) throws IOException {
        isKnown = isKnown
                || (!backlog.equals(Backlog.EMPTY) && workers.stream().allMatch(worker -> worker.knows(backlog)));
        if (!isKnown) {
            return;
        }
        String list = uploaded(backlog);
        if (!list.equals(uploaded)) {
            DurableFile.write(state.resolve(UPLOADED), list);
            uploaded = list;
        }
    }

    private void measure(long nowNs) {
        long bytes = shared.rate().totalBytes();
        if (lastNs != 0 && nowNs > lastNs) {
            double now = (bytes - lastBytes) * NS_PER_S / (nowNs - lastNs);
            bytesPerS = now == 0 ? 0 : bytesPerS == 0 ? now : (bytesPerS + now) / 2;
        }
        lastBytes = bytes;
        lastNs = nowNs;
    }

    /** Name and length of each file that need not wait for its upload. */
    private String uploaded(Backlog backlog) {
        return backlog.all().stream()
                .filter(isUploaded(backlog))
                .map(file -> file.name() + ' ' + file.version().bytes() + '\n')
                .sorted()
                .collect(Collectors.joining());
    }

    /**
     * Whether a file has arrived at all targets that take it. A telemetry log that none takes would be kept for ever:
     * it counts as its log, also if that was deleted before.
     */
    private Predicate<LogFile> isUploaded(Backlog backlog) {
        Map<String, Boolean> logs = backlog.all().stream()
                .filter(this::isTaken)
                .collect(Collectors.toMap(LogFile::log, file -> !isWaiting(file), Boolean::logicalAnd));
        // Files that no target takes never arrive.
        backlog.all().stream().filter(file -> !file.isTelemetry()).forEach(file -> logs.putIfAbsent(file.log(), false));
        return file -> isTaken(file)
                ? !isWaiting(file)
                : file.isTelemetry() && logs.getOrDefault(file.log(), file.isLogComplete());
    }

    private boolean isTaken(LogFile file) {
        return workers.stream().anyMatch(worker -> worker.takes(file));
    }

    private static boolean isSent(TargetWorker worker, LogFile file) {
        return worker.transfer(file)
                .filter(transfer -> transfer.status() == Status.SENT)
                .isPresent();
    }

    private String status(Backlog backlog) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("written_utc", Instant.now().toString());
            totals(json, backlog);
            json.writeArrayFieldStart("targets");
            for (TargetWorker worker : workers) {
                target(json, worker, backlog);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("files");
            Predicate<LogFile> isUploaded = isUploaded(backlog);
            for (LogFile file : backlog.all()) {
                file(json, file, isUploaded.test(file));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }

    private void totals(JsonGenerator json, Backlog backlog) throws IOException {
        String problem = shared.permission().problem();
        json.writeStringField("waits_for", problem.isEmpty() ? null : problem);
        json.writeNumberField("bytes_per_s", Math.round(bytesPerS));
        json.writeNumberField("sent_bytes", shared.rate().totalBytes());
        List<LogFile> waiting = backlog.all().stream().filter(this::isWaiting).toList();
        json.writeNumberField("backlog_files", waiting.size());
        json.writeNumberField("backlog_bytes", bytes(waiting));
    }

    private String metrics(Backlog backlog) {
        List<MetricsText.Target> targets = workers.stream()
                .map(worker -> {
                    List<LogFile> waiting = waiting(worker, backlog);
                    boolean isFailing = worker.snapshot().state() == TargetWorker.State.FAILING;
                    return new MetricsText.Target(worker.name(), waiting.size(), bytes(waiting), isFailing);
                })
                .toList();
        boolean isWaiting = !shared.permission().problem().isEmpty();
        return MetricsText.of(Math.round(bytesPerS), shared.rate().totalBytes(), isWaiting, targets);
    }

    private static List<LogFile> waiting(TargetWorker worker, Backlog backlog) {
        return backlog.all().stream()
                .filter(file -> worker.takes(file) && !isSent(worker, file))
                .toList();
    }

    private static long bytes(List<LogFile> files) {
        return files.stream().mapToLong(file -> file.version().bytes()).sum();
    }

    private boolean isWaiting(LogFile file) {
        return workers.stream().anyMatch(worker -> worker.takes(file) && !isSent(worker, file));
    }

    private static void target(JsonGenerator json, TargetWorker worker, Backlog backlog) throws IOException {
        TargetWorker.Snapshot now = worker.snapshot();
        List<LogFile> waiting = waiting(worker, backlog);
        json.writeStartObject();
        json.writeStringField("name", worker.name());
        json.writeStringField("type", worker.type());
        json.writeStringField("state", now.state().name().toLowerCase(Locale.ROOT));
        json.writeStringField("problem", now.problem());
        json.writeStringField("file", now.file());
        json.writeNumberField("file_bytes", now.bytes());
        json.writeNumberField("file_bytes_done", now.done());
        json.writeStringField(
                "next_try_utc",
                now.nextTryMs() == 0
                        ? null
                        : Instant.ofEpochMilli(now.nextTryMs()).toString());
        json.writeNumberField("backlog_files", waiting.size());
        json.writeNumberField("backlog_bytes", bytes(waiting));
        json.writeEndObject();
    }

    private void file(JsonGenerator json, LogFile file, boolean isUploaded) throws IOException {
        json.writeStartObject();
        json.writeStringField("file", file.name());
        json.writeNumberField("bytes", file.version().bytes());
        json.writeBooleanField("uploaded", isUploaded);
        json.writeArrayFieldStart("targets");
        for (TargetWorker worker : workers) {
            if (worker.takes(file)) {
                Optional<Transfer> transfer = worker.transfer(file);
                json.writeStartObject();
                json.writeStringField("name", worker.name());
                json.writeStringField(
                        "state",
                        transfer.map(its -> its.status().name().toLowerCase(Locale.ROOT))
                                .orElse("waiting"));
                text(json, "link", transfer.map(Transfer::link).orElse(""));
                text(json, "problem", problem(file, transfer));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private String problem(LogFile file, Optional<Transfer> transfer) {
        String unread = shared.facts().problem(file);
        return unread.isEmpty() ? transfer.map(Transfer::problem).orElse("") : unread;
    }

    private static void text(JsonGenerator json, String name, String text) throws IOException {
        if (!text.isEmpty()) {
            json.writeStringField(name, text);
        }
    }
}
