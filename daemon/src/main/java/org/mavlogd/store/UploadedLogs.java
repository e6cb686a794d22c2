package org.mavlogd.store;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.collections.LongHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The files that all targets have, by the uploader's list: a line with name and length for each, replaced atomically. A
 * file that was changed afterwards has another length, and does not count. Without a readable list no file counts. Only
 * a hash of each file is kept, so that the list of a large directory takes little heap. Owned by one thread.
 */
final class UploadedLogs {
    /** Longer than the list of any directory; files beyond it do not count as uploaded. */
    private static final int MAX_BYTES = 16 << 20;

    /**
     * Each takes 16 to 32 bytes of heap, twice as much while the next list is read; files beyond it do not count as
     * uploaded.
     */
    static final int MAX_FILES = 65_536;

    /** Longer than the line of any log. */
    private static final int MAX_LINE = 128;

    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private static final Pattern LINE = Pattern.compile("([^ ]+) ([0-9]{1,18})");

    private final Optional<Path> list;
    private final long seed = new SplittableRandom().nextLong();
    private LongHashSet files = new LongHashSet();
    private @Nullable Object readKey;

    UploadedLogs(Optional<Path> list) {
        this.list = list;
    }

    /** Reads the list again if it was replaced. */
    void look() {
        if (list.isEmpty()) {
            return;
        }
        try {
            BasicFileAttributes now = Files.readAttributes(list.get(), BasicFileAttributes.class);
            Object key = Objects.hash(now.fileKey(), now.size(), now.lastModifiedTime());
            if (!key.equals(readKey)) {
                files = read(list.get());
                readKey = key;
            }
        } catch (IOException e) {
            // Also if there is none: a list that cannot be read allows no deletion.
            files = new LongHashSet();
            readKey = null;
        }
    }

    private LongHashSet read(Path file) throws IOException {
        LongHashSet found = new LongHashSet();
        byte[] line = new byte[MAX_LINE];
        int length = 0;
        int bytes = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            for (int next = in.read();
                    next >= 0 && ++bytes <= MAX_BYTES && found.size() < MAX_FILES;
                    next = in.read()) {
                if (next == '\n') {
                    take(new String(line, 0, Math.min(length, MAX_LINE), StandardCharsets.US_ASCII), found);
                    length = 0;
                } else if (length++ < MAX_LINE) {
                    line[length - 1] = (byte) next;
                }
            }
        }
        // A last line without a line end is incomplete.
        return found;
    }

    private void take(String line, LongHashSet found) {
        Matcher entry = LINE.matcher(line);
        if (entry.matches()) {
            found.add(hash(entry.group(1), Long.parseLong(entry.group(2))));
        }
    }

    /** 64 bits with a seed of this run, so that two files do not have the same hash by chance or by intent. */
    private long hash(String name, long length) {
        long hash = seed ^ (length * MULTIPLIER);
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * MULTIPLIER;
            hash ^= hash >>> Integer.SIZE;
        }
        return hash;
    }

    boolean contains(Disk.Entry file) {
        return !files.isEmpty() && files.contains(hash(file.name(), file.bytes()));
    }
}
