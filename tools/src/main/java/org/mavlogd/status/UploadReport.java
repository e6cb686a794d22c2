package org.mavlogd.status;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.UploadSettings;
import org.mavlogd.store.UploaderStatus;
import org.mavlogd.text.Words;

/**
 * The report of {@code mavlogd upload} in its directory: the state of each finished log, speed, and backlog. Unreadable
 * parts count as missing.
 */
public final class UploadReport {
    private static final int MAX_FILES = 100_000;
    private static final int MAX_TEXT = 200;

    /** The progress of a file. */
    public enum State {
        UPLOADED,
        UPLOADING,
        WAITING,
        /** A target refuses it, or it is unknown whether it arrived. */
        FAILED
    }

    private final Map<String, @Nullable Object> fields;
    private final Map<String, State> states;

    /** @param fields of the uploader's status, without its list of files; missing ones count as 0 */
    UploadReport(Map<String, @Nullable Object> fields) {
        this(fields, new HashMap<>());
    }

    private UploadReport(Map<String, @Nullable Object> fields, Map<String, State> states) {
        this.fields = fields;
        this.states = states;
        for (Map<?, ?> target : targets()) {
            if (notRunningSince().isEmpty() && "sending".equals(target.get("state"))) {
                states.replace(String.valueOf(target.get("file")), State.UPLOADING);
            }
        }
    }

    /**
     * Reads the report.
     *
     * @param directory in which the uploader keeps its report
     */
    public static Optional<UploadReport> read(Path directory) {
        Map<String, State> states = new HashMap<>();
        Path status = directory.resolve(UploadSettings.STATUS);
        try (InputStream in = Files.newInputStream(status)) {
            Map<String, @Nullable Object> fields = StatusClient.parse(in, "files", file -> {
                if (states.size() < MAX_FILES) {
                    states.put(String.valueOf(file.get("file")), state(file));
                }
            });
            UploaderStatus.notRunningSince(status, Instant.now())
                    .ifPresent(since -> fields.put(UploaderStatus.NOT_RUNNING_SINCE, since.toString()));
            return Optional.of(new UploadReport(fields, states));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static State state(Map<?, ?> file) {
        if (Boolean.TRUE.equals(file.get("uploaded"))) {
            return State.UPLOADED;
        }
        boolean isFailed = maps(file.get("targets")).stream()
                .anyMatch(target -> "unsure".equals(target.get("state")) || target.get("problem") != null);
        return isFailed ? State.FAILED : State.WAITING;
    }

    /** The state of a file; empty if the uploader does not know it. */
    public Optional<State> of(String file) {
        return Optional.ofNullable(states.get(file));
    }

    /** The report in one line: whether the uploader runs, speed, backlog, and problems. */
    public String summary() {
        return "uploads: " + progress();
    }

    /** The part of {@link #summary} about the uploads. */
    String progress() {
        return notRunningSince()
                .map(since -> "not running since " + Words.line(since.replace('T', ' '), MAX_TEXT)
                        + "; its last report: " + reported())
                .orElseGet(this::reported);
    }

    private Optional<String> notRunningSince() {
        return fields.get(UploaderStatus.NOT_RUNNING_SINCE) instanceof String since
                ? Optional.of(since)
                : Optional.empty();
    }

    private String reported() {
        StringBuilder text = new StringBuilder();
        long files = number("backlog_files");
        if (files == 0) {
            return "all logs are uploaded";
        }
        text.append(Words.count(files, "file"))
                .append(", ")
                .append(Words.bytes(number("backlog_bytes")))
                .append(" to go");
        if (number("bytes_per_s") > 0 && notRunningSince().isEmpty()) {
            text.append(", ").append(Words.bytes(number("bytes_per_s"))).append("/s");
        }
        if (fields.get("waits_for") instanceof String reason) {
            text.append("; waits: ").append(Words.line(reason, MAX_TEXT));
        }
        targets().forEach(target -> text.append(problem(target)));
        return text.toString();
    }

    /** The problem of a target with its name; empty if there is none. */
    private static String problem(Map<?, ?> target) {
        return target.get("problem") instanceof String problem && !problem.isEmpty()
                ? "; " + Words.line(String.valueOf(target.get("name")), MAX_TEXT) + ": " + Words.line(problem, MAX_TEXT)
                : "";
    }

    private List<Map<?, ?>> targets() {
        return maps(fields.get("targets"));
    }

    private long number(String name) {
        return fields.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static List<Map<?, ?>> maps(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .<Map<?, ?>>map(one -> (Map<?, ?>) one)
                        .toList()
                : List.of();
    }
}
