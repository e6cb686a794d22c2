package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mavlogd.fleet.state.DurableFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facts of all finished files; each file is read once and its facts are stored. One thread reads logs; any thread
 * may query.
 */
final class FactsStore {
    private static final Logger LOG = LoggerFactory.getLogger(FactsStore.class);
    private static final String SUFFIX = ".json";
    private static final int MAX_BYTES = 64 << 10;

    private final Path directory;
    private final Map<String, FileFacts> known = new ConcurrentHashMap<>();

    FactsStore(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /** The facts of this version of a file; empty if it has not been read. */
    Optional<FileFacts> of(LogFile file) {
        return Optional.ofNullable(known.get(file.name()))
                .filter(facts -> facts.version().equals(file.version()));
    }

    /** Loads the stored facts of a file; if they are unreadable, the log is read again. */
    void recall(LogFile file) {
        if (of(file).isEmpty()) {
            noted(file).ifPresent(facts -> known.put(file.name(), facts));
        }
    }

    private Optional<FileFacts> noted(LogFile file) {
        try {
            return DurableFile.read(directory.resolve(file.name() + SUFFIX), MAX_BYTES)
                    .flatMap(text -> FileFacts.parse(text, file));
        } catch (IOException e) {
            LOG.warn("the facts of {} cannot be read: {}", file.name(), e.toString());
            return Optional.empty();
        }
    }

    /** Reads the file and stores its facts. */
    void read(LogFile file, Path path) throws IOException {
        FileFacts facts = FileFacts.read(file, path);
        DurableFile.write(directory.resolve(file.name() + SUFFIX), facts.json());
        known.put(file.name(), facts);
    }

    /** Removes the facts of deleted files. */
    void forgetBut(Set<String> names) throws IOException {
        known.keySet().retainAll(names);
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path note : notes) {
                String file = String.valueOf(note.getFileName());
                if (!names.contains(file.substring(0, file.length() - SUFFIX.length()))) {
                    Files.deleteIfExists(note);
                }
            }
        }
    }
}
