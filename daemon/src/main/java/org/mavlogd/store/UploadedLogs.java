package org.mavlogd.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that are at all targets, by the uploader's list: a line with name and length for each, replaced atomically. A file that
 * was changed afterwards has another length, and does not count. Without a readable list nothing counts. Owned by one thread.
 */
final class UploadedLogs {
    /** More than the list of any directory; the rest does not count as uploaded. */
    private static final int MAX_BYTES = 16 << 20;

    private static final Pattern LINE = Pattern.compile("([^ ]+) ([0-9]{1,18})");

    private final Optional<Path> list;
    private Map<String, Long> lengths = Map.of();
    private @Nullable Object readKey;

    UploadedLogs(Optional<Path> list) {
        this.list = list;
    }

    /** Reads the list again if it is another one. */
    void look() {
        if (list.isEmpty()) {
            return;
        }
        try {
            BasicFileAttributes now = Files.readAttributes(list.get(), BasicFileAttributes.class);
            Object key = Objects.hash(now.fileKey(), now.size(), now.lastModifiedTime());
            if (!key.equals(readKey)) {
                lengths = read(list.get());
                readKey = key;
            }
        } catch (IOException e) {
            // Also when there is none: a list that cannot be read allows no deletion.
            lengths = Map.of();
            readKey = null;
        }
    }

    private static Map<String, Long> read(Path file) throws IOException {
        String text;
        try (InputStream in = Files.newInputStream(file)) {
            text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
        Map<String, Long> lengths = new HashMap<>();
        // A last line without an end is not whole.
        int end = text.lastIndexOf('\n') + 1;
        for (String line : text.substring(0, end).split("\n", -1)) {
            Matcher entry = LINE.matcher(line);
            if (entry.matches()) {
                lengths.put(entry.group(1), Long.parseLong(entry.group(2)));
            }
        }
        return lengths;
    }

    boolean contains(Disk.Entry file) {
        Long length = lengths.get(file.name());
        return length != null && length == file.bytes();
    }
}
