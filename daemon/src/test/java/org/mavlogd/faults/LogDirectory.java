package org.mavlogd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.mavlogd.app.SentLog;
import org.mavlogd.whole.LogContent;

/** The files that a recorder left in its directory, finished or not. */
final class LogDirectory {
    private static final int HEADER_LENGTH = 16;
    private static final int MESSAGE_HEADER_LENGTH = 3;
    private static final int FLAG_BITS_LENGTH = MESSAGE_HEADER_LENGTH + 40;

    /** Header and flag bits, which change when data is appended to a log. */
    static final int PATCHED_LENGTH = HEADER_LENGTH + FLAG_BITS_LENGTH;

    private LogDirectory() {}

    /** The ULog files by name; all other files are ignored. */
    static List<Path> files(Path directory) throws IOException {
        return files(directory, "ulg");
    }

    /** The files of this kind by name, finished or not. */
    static List<Path> files(Path directory, String kind) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.toString().matches(".*\\." + kind + "(\\.part)?"))
                    .sorted()
                    .toList();
        }
    }

    /** Their contents. */
    static List<LogContent> contents(Path directory) throws IOException {
        List<LogContent> contents = new ArrayList<>();
        for (Path file : files(directory)) {
            contents.add(LogContent.of(file.getFileName().toString(), Files.readAllBytes(file)));
        }
        return contents;
    }

    /** The files with this log or a part of it, without empty ones. */
    static List<Path> filesOf(SentLog sent, Path directory) throws IOException {
        byte[] header = Arrays.copyOf(sent.bytes(), HEADER_LENGTH);
        List<Path> found = new ArrayList<>();
        for (Path file : files(directory)) {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length >= HEADER_LENGTH && Arrays.equals(header, Arrays.copyOf(bytes, HEADER_LENGTH))) {
                found.add(file);
            }
        }
        return found;
    }

    /** Total size of all ULog files in bytes. */
    static long bytes(Path directory) throws IOException {
        return bytes(directory, "ulg");
    }

    /** Total size of all files of this kind in bytes. */
    static long bytes(Path directory, String kind) throws IOException {
        long sum = 0;
        for (Path file : files(directory, kind)) {
            sum += file.toFile().length(); // 0 if it was renamed meanwhile
        }
        return sum;
    }

    /** The data messages of a log, each as a string. */
    static List<String> samples(LogContent log) {
        return log.texts().stream().filter(text -> text.charAt(2) == 'D').toList();
    }

    /** The only file of a log. */
    static LogContent onlyFileOf(SentLog sent, Path directory) throws IOException {
        List<Path> files = filesOf(sent, directory);
        assertThat(files).as("files of the log").hasSize(1);
        return LogContent.of(files.get(0).getFileName().toString(), Files.readAllBytes(files.get(0)));
    }
}
