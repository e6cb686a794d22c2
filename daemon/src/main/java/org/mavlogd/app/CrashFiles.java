package org.mavlogd.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.recovery.CrashReport;
import org.mavlogd.store.CrashTexts;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ULogException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds crash data of an earlier run: Java's crash file, the last lines of its log, and the kernel's record of a panic.
 * Missing and unreadable files are left out. May wait for the disk.
 */
final class CrashFiles implements CrashReport.Source {
    private static final Logger LOG = LoggerFactory.getLogger(CrashFiles.class);
    static final int MAX_LINES = 100;
    static final int MAX_TEXT_BYTES = 256 << 10;

    /** How many of Java's crash files are kept; each is about 100 KB. */
    static final int MAX_CRASH_FILES = 8;

    private static final String JAVA_PREFIX = "hs_err_";

    /** Part of the first line that each run logs. */
    static final String BEGIN = " starts, process ";

    private static final Pattern NUMBERS = Pattern.compile("0x[0-9a-f]+|\\d+");

    private static final int MAX_HEADER_BYTES = 4096;
    private static final int MAX_KERNEL_BYTES = 64 << 10;
    private static final int MAX_KERNEL_FILES = 8;
    // Times of files and notes may differ by the resolution of the file system.
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

    /** The crash data in the program's state directory and its working directory; none if that fails. */
    static CrashReport.Source of(Path state, ContainedPart part) {
        return part.get(
                () -> {
                    Path crashes = state.resolve("crash");
                    prune(crashes);
                    return after(state, List.of(crashes, Path.of("")));
                },
                CrashReport.Source.NONE);
    }

    /** Reads the last log lines of the previous run at once, because this run is about to append its own. */
    static CrashFiles after(Path logLines, List<Path> crashDirectories) {
        return after(logLines, crashDirectories, PSTORE);
    }

    static CrashFiles after(Path logLines, List<Path> crashDirectories, Path pstore) {
        List<CrashReport.Line> lines = new ArrayList<>();
        lines.addAll(lines(logLines.resolve(LastLogLines.OLDER_FILE)));
        lines.addAll(lines(logLines.resolve(LastLogLines.FILE)));
        List<CrashReport.Line> last = lastRun(lines);
        return new CrashFiles(
                crashDirectories, pstore, last.subList(Math.max(0, last.size() - MAX_LINES), last.size()));
    }

    /** The lines of the previous run; none if they are the same as those of the run before it. */
    private static List<CrashReport.Line> lastRun(List<CrashReport.Line> lines) {
        int last = beginOfRun(lines, lines.size());
        int before = beginOfRun(lines, last);
        List<CrashReport.Line> run = lines.subList(last, lines.size());
        boolean isRepeat = last > 0 && comparable(run).equals(comparable(lines.subList(before, last)));
        if (isRepeat) {
            LOG.warn("the recorder ended in the same way as the last time; this is not appended to a log again");
        }
        return isRepeat ? List.of() : run;
    }

    /** Index of the first line of the newest run before {@code end}; 0 if there is none. */
    private static int beginOfRun(List<CrashReport.Line> lines, int end) {
        for (int i = end - 1; i > 0; i--) {
            if (lines.get(i).text().contains(BEGIN)) {
                return i;
            }
        }
        return 0;
    }

    private static List<String> comparable(List<CrashReport.Line> lines) {
        return lines.stream().map(line -> comparable(line.text())).toList();
    }

    /** Replaces numbers, which differ between processes, files, addresses and times. */
    private static String comparable(String text) {
        return NUMBERS.matcher(text).replaceAll("#");
    }

    @Override
    public CrashReport report(long processId, long sinceEpochMs) {
        StringBuilder text = new StringBuilder();
        if (processId > 0) {
            for (Path directory : crashDirectories) {
                Path file = directory.resolve(JAVA_PREFIX + "pid" + processId + ".log");
                if (isSince(file, sinceEpochMs) && !isRepeat(file, directory)) {
                    add(text, CrashTexts.RECORDER_CRASHED, file, MAX_TEXT_BYTES);
                    break;
                }
            }
        }
        for (Path file : kernelFiles(sinceEpochMs)) {
            add(text, CrashTexts.COMPUTER_CRASHED, file, MAX_KERNEL_BYTES);
        }
        return new CrashReport(text.toString(), lines);
    }

    /** Whether an older crash file shows that Java crashed in the same way. */
    private static boolean isRepeat(Path file, Path directory) {
        String header = javasHeader(file);
        long modifiedMs = modifiedMs(file);
        boolean isRepeat = !header.isEmpty()
                && javas(directory).stream()
                        .filter(other -> !other.equals(file) && modifiedMs(other) <= modifiedMs)
                        .anyMatch(other -> header.equals(javasHeader(other)));
        if (isRepeat) {
            LOG.warn("{}: Java crashed in the same way as before; this is not appended to a log again", file);
        }
        return isRepeat;
    }

    /** The lines with which Java describes the crash; empty if the file cannot be read. */
    private static String javasHeader(Path file) {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return comparable(clean(in.readNBytes(MAX_HEADER_BYTES))
                    .lines()
                    .filter(line -> line.startsWith("#"))
                    .collect(Collectors.joining("\n")));
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Path> javas(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> isJavas(file.getFileName())).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** Deletes all but the newest of Java's crash files: each was copied into the log that the crash interrupted. */
    static void prune(Path directory) {
        List<Path> all = javas(directory);
        if (all.size() <= MAX_CRASH_FILES) {
            return;
        }
        List<Path> old = all.stream()
                .sorted(Comparator.comparingLong(CrashFiles::modifiedMs).reversed())
                .skip(MAX_CRASH_FILES)
                .toList();
        try {
            for (Path file : old) {
                Files.delete(file);
            }
        } catch (IOException e) {
            LOG.warn("old crash files in {} cannot be deleted: {}", directory, e.toString());
        }
    }

    private static boolean isJavas(Path name) {
        return name.toString().startsWith(JAVA_PREFIX) && name.toString().endsWith(".log");
    }

    /** 0 if it cannot be determined. */
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

    /** Decodes any bytes, with replacement characters for invalid ones. */
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
            throw new IllegalStateException("replaced malformed bytes were refused", e);
        }
    }

    private static List<CrashReport.Line> lines(Path file) {
        List<CrashReport.Line> lines = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            for (String line :
                    clean(in.readNBytes(2 * LastLogLines.MAX_BYTES)).lines().toList()) {
                parse(line, lines);
            }
        } catch (IOException e) {
            return List.of();
        }
        return lines;
    }

    /** Parses {@code <epoch ms> <priority> <text>}; other lines are left out. */
    private static void parse(String line, List<CrashReport.Line> lines) throws ULogException {
        String[] parts = line.split(" ", 3);
        if (parts.length == 3 && parts[0].matches("\\d{1,15}") && parts[1].matches("[0-7]") && !parts[2].isBlank()) {
            LogLevel level = LogLevel.of(parts[1].charAt(0));
            lines.add(new CrashReport.Line(level, Long.parseLong(parts[0]), parts[2].stripTrailing()));
        }
    }
}
