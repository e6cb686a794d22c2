package org.mavlogd.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The note beside an incomplete log. It is a text: a line with the kind of file, one that identifies the log, one with
 * its length, and one with first byte and end of each missing range; the last line is {@code end}. If the note is
 * damaged or belongs to another log, all bytes count as missing.
 */
final class PartNote {
    private static final String FIRST = "mavlogd fetch 1";
    private static final String LOG = "log ";
    private static final String LENGTH = "length ";
    private static final String LAST = "end";
    private static final int HEAD_LINES = 3;
    private static final int MAX_LENGTH = 64 * (MissingRanges.MAX_RANGES + 8);
    private static final Pattern RANGE = Pattern.compile("(\\d{1,10}) (\\d{1,10})");

    private final FetchDisk disk;
    private final Path path;
    private final Path fresh;
    private final String log;
    private final long length;

    PartNote(FetchDisk disk, Path path, String log, long length) {
        this.disk = disk;
        this.path = path;
        this.fresh = path.resolveSibling(path.getFileName() + ".new");
        this.log = log;
        this.length = length;
    }

    /** @param partLength the length of the file with the bytes */
    MissingRanges read(long partLength) throws IOException {
        MissingRanges all = MissingRanges.allOf(length);
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || Files.size(path) > MAX_LENGTH) {
            return all;
        }
        List<String> lines = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
        boolean isOfThis = lines.size() > HEAD_LINES
                && lines.get(0).equals(FIRST)
                && lines.get(1).equals(LOG + log)
                && lines.get(2).equals(LENGTH + length)
                && lines.get(lines.size() - 1).equals(LAST);
        if (!isOfThis) {
            return all;
        }
        MissingRanges missing = MissingRanges.noneOf(length);
        for (String line : lines.subList(HEAD_LINES, lines.size() - 1)) {
            Matcher range = RANGE.matcher(line);
            if (!range.matches() || !add(missing, Long.parseLong(range.group(1)), Long.parseLong(range.group(2)))) {
                return all;
            }
        }
        if (partLength < length) {
            missing.add(partLength, length);
        }
        return missing;
    }

    private boolean add(MissingRanges missing, long start, long end) {
        if (start >= end || end > length || missing.count() >= MissingRanges.MAX_RANGES) {
            return false;
        }
        missing.add(start, end);
        return true;
    }

    /** Replaces the note atomically. */
    void write(MissingRanges missing) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(FIRST).append('\n').append(LOG).append(log).append('\n');
        text.append(LENGTH).append(length).append('\n');
        for (int i = 0; i < missing.count(); i++) {
            text.append(missing.start(i)).append(' ').append(missing.end(i)).append('\n');
        }
        text.append(LAST).append('\n');
        disk.delete(fresh);
        try (FileChannel channel = disk.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        disk.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete() throws IOException {
        disk.delete(path);
        disk.delete(fresh);
    }
}
