package org.mavlogd.lake;

import java.io.IOException;
import java.io.Serializable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ledger's entry for a log: its origin, its contents, and the files of the lake with its rows.
 *
 * @param log id in all tables; derived from the source only, so that a corrected log keeps it
 * @param source address of the log
 * @param sha256 of its bytes, in hexadecimal; empty if it could not be converted
 * @param sizeBytes size when it was read
 * @param modifiedMs last modification before it was read
 * @param files relative to the lake; several logs of a day may share one
 */
public record LogEntry(String log, String source, String sha256, long sizeBytes, long modifiedMs, List<String> files)
        implements Serializable {
    private static final int FACTS = 5;
    private static final String FAILURES = "failures/";

    /** Copies the list. */
    public LogEntry {
        files = List.copyOf(files);
    }

    /**
     * The entry of a refused log; keeps everything that the lake had of it, except the rows of earlier failures.
     *
     * @param refused entry with the row of failures as its only file
     */
    public static LogEntry refused(LogEntry refused, Optional<LogEntry> before) {
        if (before.isEmpty()) {
            return refused;
        }
        LogEntry old = before.get();
        List<String> files = new ArrayList<>(old.files);
        files.removeIf(file -> file.startsWith(FAILURES));
        files.addAll(refused.files);
        return new LogEntry(old.log, old.source, old.sha256, old.sizeBytes, old.modifiedMs, files);
    }

    /** Whether the lake has the rows of this log, and the last attempt to convert it succeeded. */
    public boolean isConverted() {
        return !sha256.isEmpty() && !files.contains(refusedFile(log));
    }

    /** The file with the row of a refused log. */
    static String refusedFile(String log) {
        return FAILURES + log + ".parquet";
    }

    /** The file with the rows of the topics that were left out of a converted log. */
    static String leftOutFile(String log) {
        return FAILURES + log + ".left-out.parquet";
    }

    /** Whether the file seems unchanged since its conversion. */
    public boolean isUnchanged(long otherSizeBytes, long otherModifiedMs) {
        return isConverted() && sizeBytes == otherSizeBytes && modifiedMs == otherModifiedMs;
    }

    /** The text form, which {@link #of} parses. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(
                log,
                URLEncoder.encode(source, StandardCharsets.UTF_8),
                sha256,
                Long.toString(sizeBytes),
                Long.toString(modifiedMs)));
        lines.addAll(files);
        return lines;
    }

    /** The form that {@link #read} accepts. */
    public byte[] bytes() {
        return (String.join("\n", lines()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException if it is not an entry */
    static LogEntry of(List<String> lines) {
        if (lines.size() < FACTS) {
            throw new IllegalArgumentException(lines.size() + " lines instead of at least " + FACTS);
        }
        return new LogEntry(
                lines.get(0),
                URLDecoder.decode(lines.get(1), StandardCharsets.UTF_8),
                lines.get(2),
                Long.parseLong(lines.get(3)),
                Long.parseLong(lines.get(4)),
                lines.subList(FACTS, lines.size()));
    }

    static LogEntry read(Path file) throws IOException {
        return read(file.toString(), Files.readAllBytes(file));
    }

    /**
     * Reads an entry.
     *
     * @param file its file, for errors
     * @throws IOException if it is not an entry
     */
    public static LogEntry read(String file, byte[] content) throws IOException {
        try {
            return of(new String(content, StandardCharsets.UTF_8).lines().toList());
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": not an entry of a lake's ledger: " + e.getMessage(), e);
        }
    }

    /** The entry with some files replaced. */
    LogEntry withFiles(Map<String, String> replaced) {
        List<String> now = files.stream()
                .map(file -> replaced.getOrDefault(file, file))
                .distinct()
                .toList();
        return new LogEntry(log, source, sha256, sizeBytes, modifiedMs, now);
    }
}
