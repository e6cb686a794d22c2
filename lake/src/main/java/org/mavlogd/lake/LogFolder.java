package org.mavlogd.lake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The logs of a folder and its subfolders, or a single named log.
 *
 * @param root the folder or the log
 */
record LogFolder(Path root) implements LogSource {
    @Override
    public List<SourceLog> logs() throws IOException {
        Path real = root.toRealPath();
        if (Files.isRegularFile(real)) {
            return List.of(SourceLog.of(real, Optional.empty()));
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(real)) {
            files = all.filter(LogFolder::isLog).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<SourceLog> logs = new ArrayList<>(files.size());
        for (Path file : files) {
            log(real, file).ifPresent(logs::add);
        }
        return logs;
    }

    /** A log of the folder; empty if it was deleted meanwhile: recorders delete old ones. */
    static Optional<SourceLog> log(Path folder, Path file) throws IOException {
        Path inside = folder.relativize(file);
        try {
            return Optional.of(SourceLog.of(
                    file, Optional.of(inside.getName(0).toString()).filter(name -> inside.getNameCount() > 1)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static boolean isLog(Path file) {
        Path name = file.getFileName();
        return name != null && SourceLog.isLog(name.toString()) && Files.isRegularFile(file);
    }
}
