package org.mavlogd.fleet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.mavlogd.fleet.state.DurableFile;
import org.mavlogd.fleet.state.Version;
import org.mavlogd.text.Failures;
import org.mavlogd.text.Words;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The facts of all finished files; each file is read once and its facts are stored. A file whose facts cannot be read or
 * stored is tried again later, and later still after each further failure. One thread reads logs; any thread may query.
 */
final class FactsStore {
    private static final Logger LOG = LoggerFactory.getLogger(FactsStore.class);
    private static final String SUFFIX = ".json";
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_REASON = 300;

    private final Path directory;
    private final Backoff backoff;
    private final Map<String, FileFacts> known = new ConcurrentHashMap<>();
    private final Map<String, Failure> failed = new ConcurrentHashMap<>();

    /**
     * A failed attempt.
     *
     * @param facts that were read but not stored; empty if the file could not be read
     * @param attempts number of failures in a row
     */
    private record Failure(Version version, String reason, Optional<FileFacts> facts, int attempts, long nextTryNs) {}

    FactsStore(Path directory, Backoff backoff) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.backoff = backoff;
    }

    /** The facts of this version of a file; empty if it has not been read. */
    Optional<FileFacts> of(LogFile file) {
        return Optional.ofNullable(known.get(file.name()))
                .filter(facts -> facts.version().equals(file.version()));
    }

    private Optional<Failure> failure(LogFile file) {
        return Optional.ofNullable(failed.get(file.name()))
                .filter(failure -> failure.version().equals(file.version()));
    }

    /** The reason why there are no facts of this version of a file; empty if it was not tried, or has succeeded. */
    String problem(LogFile file) {
        return failure(file).map(Failure::reason).orElse("");
    }

    /** All these reasons. */
    Set<String> problems() {
        return failed.values().stream().map(Failure::reason).collect(Collectors.toSet());
    }

    /** Whether a file must be read now. */
    boolean isDue(LogFile file, long nowNs) {
        return of(file).isEmpty()
                && failure(file)
                        .filter(failure -> nowNs - failure.nextTryNs() < 0)
                        .isEmpty();
    }

    /** Loads the stored facts of a file; if they are unreadable, the log is read again. */
    void recall(LogFile file) {
        if (of(file).isEmpty() && failure(file).isEmpty()) {
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

    /**
     * Reads the file and stores its facts. A failure is noted; if the facts were read but not stored, the next attempt
     * only stores them.
     *
     * @throws NoSuchFileException if the file is gone
     */
    void read(LogFile file, Path path) throws NoSuchFileException {
        Optional<FileFacts> facts = failure(file).flatMap(Failure::facts);
        try {
            facts = Optional.of(facts.isPresent() ? facts.get() : FileFacts.read(file, path));
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            failed(file, "the file cannot be read: " + reason(path, e), Optional.empty());
            return;
        }
        Path note = directory.resolve(file.name() + SUFFIX);
        try {
            DurableFile.write(note, facts.get().json());
            known.put(file.name(), facts.get());
            failed.remove(file.name());
        } catch (IOException e) {
            failed(file, "its facts cannot be stored: " + reason(note, e), facts);
        }
    }

    private void failed(LogFile file, String reason, Optional<FileFacts> facts) {
        int attempts = failure(file).map(Failure::attempts).orElse(0) + 1;
        long nextTryNs = System.nanoTime() + backoff.delayNs(attempts);
        failed.put(file.name(), new Failure(file.version(), reason, facts, attempts, nextTryNs));
    }

    private static String reason(Path path, Exception e) {
        return Words.line(e instanceof IOException io ? Failures.text(path, io) : e.toString(), MAX_REASON);
    }

    /** Removes the facts of deleted files. */
    void forgetBut(Set<String> names) throws IOException {
        known.keySet().retainAll(names);
        failed.keySet().retainAll(names);
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
