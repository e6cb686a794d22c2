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

/** The facts of all finished files, each read once and noted. One thread reads logs; any may ask. */
final class FactsStore {
    private static final Logger LOG = LoggerFactory.getLogger(FactsStore.class);
    private static final String SUFFIX = ".json";
    private static final int MAX_BYTES = 64 << 10;

    private final Path directory;
    private final Map<String, FileFacts> known = new ConcurrentHashMap<>();

    FactsStore(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /** Those of this version of the file; empty if it was not read yet. */
    Optional<FileFacts> of(LogFile file) {
        return Optional.ofNullable(known.get(file.name()))
                .filter(facts -> facts.version().equals(file.version()));
    }

    /** Takes what was noted; notes that cannot be read are lost, and the log is read again. */
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

    /** Reads the file. */
    void read(LogFile file, Path path) throws IOException {
        FileFacts facts = FileFacts.read(file, path);
        DurableFile.write(directory.resolve(file.name() + SUFFIX), facts.json());
        known.put(file.name(), facts);
    }

    /** Forgets files that are gone: their facts can be read again. */
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
