package org.mavlogd.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.mavlogd.store.CrashReport;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what an earlier run left: Java's crash file, the last lines of its log, and what the kernel kept of a panic. What
 * is not there or may not be read is left out. May wait for the disk.
 */
final class CrashFiles implements CrashReport.Source {
    private static final Logger LOG = LoggerFactory.getLogger(CrashFiles.class);
    static final int MAX_LINES = 100;
    static final int MAX_TEXT_BYTES = 256 << 10;

    /** Java's crash files that stay; each is 100 KB or so. */
    static final int MAX_CRASH_FILES = 8;

    private static final String JAVA_PREFIX = "hs_err_";

    private static final int MAX_KERNEL_BYTES = 64 << 10;
    private static final int MAX_KERNEL_FILES = 8;
    // The clocks of files and notes may differ by the resolution of the file system.
    private static final long MARGIN_MS = 2000;
    private static final Path PSTORE = Path.of("/sys/fs/pstore");

    private final List<Path> crashDirectories;
    private final Path pstore;
    private final List<CrashReport.Line> lines;

    private CrashFiles(List<Path> crashDirectories, Path pstore, List<CrashReport.Line> lines) {
        this.crashDirectories = List.copyOf(crashDirectories);
        this.pstore = pstore;
        this.lines = List.copyOf(lines);
    }

    /** Reads the last words of the run before at once: this run is going to write its own behind them. */
    static CrashFiles after(Path lastWords, List<Path> crashDirectories) {
        return after(lastWords, crashDirectories, PSTORE);
    }

    static CrashFiles after(Path lastWords, List<Path> crashDirectories, Path pstore) {
        List<CrashReport.Line> lines = new ArrayList<>();
        lines.addAll(lines(lastWords.resolve(LastWords.OLDER_FILE)));
        lines.addAll(lines(lastWords.resolve(LastWords.FILE)));
        return new CrashFiles(
                crashDirectories, pstore, lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    }

    @Override
    public CrashReport report(long processId, long sinceEpochMs) {
        StringBuilder text = new StringBuilder();
        if (processId > 0) {
            for (Path directory : crashDirectories) {
                Path file = directory.resolve(JAVA_PREFIX + "pid" + processId + ".log");
                if (isSince(file, sinceEpochMs)) {
                    add(
                            text,
                            "The recorder's Java (mavlogd on the companion computer, not the vehicle) crashed",
                            file,
                            MAX_TEXT_BYTES);
                    break;
                }
            }
        }
        for (Path file : kernelFiles(sinceEpochMs)) {
            add(text, "The kernel of the companion computer (not the vehicle) crashed", file, MAX_KERNEL_BYTES);
        }
        return new CrashReport(text.toString(), lines);
    }

    /** Deletes all but the newest of Java's crash files there: each was copied into the log that the crash cut. */
    static void prune(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> newestFirst = files.filter(file -> isJavas(file.getFileName()))
                    .sorted(Comparator.comparingLong(CrashFiles::modifiedMs).reversed())
                    .toList();
            for (Path file : newestFirst.subList(Math.min(MAX_CRASH_FILES, newestFirst.size()), newestFirst.size())) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("old crash files in {} cannot be deleted: {}", directory, e.toString());
        }
    }

    private static boolean isJavas(Path name) {
        return name.toString().startsWith(JAVA_PREFIX) && name.toString().endsWith(".log");
    }

    /** 0 for one that cannot be asked. */
    private static long modifiedMs(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    private List<Path> kernelFiles(long sinceEpochMs) {
        if (sinceEpochMs < 0) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(pstore)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith("dmesg-"))
                    .filter(file -> isSince(file, sinceEpochMs))
                    .sorted()
                    .limit(MAX_KERNEL_FILES)
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    private static boolean isSince(Path file, long sinceEpochMs) {
        try {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                                    .toMillis()
                            >= sinceEpochMs - MARGIN_MS;
        } catch (IOException e) {
            return false;
        }
    }

    private static void add(StringBuilder text, String what, Path file, int limit) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(limit);
        } catch (IOException e) {
            return;
        }
        if (bytes.length > 0) {
            text.append(what).append("; ").append(file.getFileName()).append(":\n");
            text.append(clean(bytes)).append('\n');
        }
    }

    /** Text of whatever the bytes are: with the replacement character for what is none. */
    private static String clean(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .replace('\0', ' ');
        } catch (IOException e) {
            throw new IllegalStateException("nothing is malformed when it is replaced", e);
        }
    }

    private static List<CrashReport.Line> lines(Path file) {
        List<CrashReport.Line> lines = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (String line :
                    clean(in.readNBytes(2 * LastWords.MAX_BYTES)).lines().toList()) {
                parse(line, lines);
            }
        } catch (IOException e) {
            return List.of();
        }
        return lines;
    }

    /** {@code <epoch ms> <priority> <text>}; whatever else a line is, it is left out. */
    private static void parse(String line, List<CrashReport.Line> lines) throws ULogException {
        String[] parts = line.split(" ", 3);
        if (parts.length == 3 && parts[0].matches("\\d{1,15}") && parts[1].matches("[0-7]") && !parts[2].isBlank()) {
            LogLevel level = LogLevel.of(parts[1].charAt(0));
            lines.add(new CrashReport.Line(level, Long.parseLong(parts[0]), parts[2].stripTrailing()));
        }
    }
}
