package org.mavlogd.lake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A change of a lake that is made completely or not at all: all files staged for it are moved to their places.
 *
 * @param staging name of the directory with these files
 * @param entries new entries of all logs that the change affects
 * @param removed files that no longer belong to the lake
 */
record LakeChange(String staging, List<LogEntry> entries, List<String> removed) {
    LakeChange {
        entries = List.copyOf(entries);
        removed = List.copyOf(removed);
    }

    byte[] bytes() {
        List<String> lines = new ArrayList<>(List.of(staging, Integer.toString(removed.size())));
        lines.addAll(removed);
        for (LogEntry entry : entries) {
            List<String> its = entry.lines();
            lines.add(Integer.toString(its.size()));
            lines.addAll(its);
        }
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    static LakeChange read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        try {
            int at = 2 + Integer.parseInt(lines.get(1));
            List<String> removed = lines.subList(2, at);
            List<LogEntry> entries = new ArrayList<>();
            while (at < lines.size()) {
                int end = at + 1 + Integer.parseInt(lines.get(at));
                entries.add(LogEntry.of(lines.subList(at + 1, end)));
                at = end;
            }
            return new LakeChange(lines.get(0), entries, removed);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(file + ": not a change of a lake: " + e.getMessage(), e);
        }
    }
}
