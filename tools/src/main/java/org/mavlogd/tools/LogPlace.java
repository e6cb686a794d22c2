package org.mavlogd.tools;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mavlogd.config.ConfigException;
import org.mavlogd.config.Settings;
import org.mavlogd.logtools.LogSource;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.text.SimilarWord;
import org.mavlogd.wiring.FetchAfterFlight;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The options for the directory of the recorded logs, and the search for a log named on the command line. */
final class LogPlace {
    private static final String DEFAULT_CONFIG = "/etc/mavlogd/mavlogd.toml";
    private static final int MAX_CANDIDATES = 10_000;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            order = 98,
            scope = ScopeType.INHERIT,
            description = "The configuration that names the directory of the logs (default: " + DEFAULT_CONFIG + ").")
    private @Nullable Path config;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            order = 99,
            scope = ScopeType.INHERIT,
            description = "The directory of the logs, instead of --config.")
    private @Nullable Path directory;

    /** The directory, if it alone was given on the command line; otherwise settings are used. */
    Optional<Path> directory(Supplier<CommandSpec> command) {
        if (directory != null && config != null) {
            throw new ParameterException(command.get().commandLine(), "--config and --dir exclude each other");
        }
        return Optional.ofNullable(directory);
    }

    Settings settings() throws ConfigException {
        return Settings.loadBesideService(config == null ? Path.of(DEFAULT_CONFIG) : config);
    }

    /**
     * Finds a log: standard input, an existing file, or else a log in the directory by its name.
     *
     * @throws FileSystemException if there is none; suggests similar names
     */
    Path find(Path given, Supplier<CommandSpec> command) throws IOException {
        Optional<Path> named = directory(command);
        if (given.equals(LogSource.STANDARD_INPUT) || Files.exists(given)) {
            return given;
        }
        if (!isBareName(given)) {
            throw missing(given, names(given.toAbsolutePath().getParent()));
        }
        String name = given.toString();
        if (named.isEmpty() && config == null && !isNewest(name) && !Files.exists(Path.of(DEFAULT_CONFIG))) {
            throw missing(given, names(Path.of("")));
        }
        return inDirectory(name, named.isPresent() ? named.get() : configured(name));
    }

    private static boolean isBareName(Path given) {
        return !given.isAbsolute()
                && given.getNameCount() == 1
                && !given.toString().isEmpty();
    }

    private static boolean isNewest(String name) {
        return name.startsWith(LogDirectory.LAST) && LogDirectory.isName(name);
    }

    private Path configured(String name) throws IOException {
        try {
            return settings().logDirectory();
        } catch (ConfigException e) {
            throw new FileSystemException(
                    name,
                    null,
                    "there is no such file, and the log directory is not known ("
                            + e.problems().get(0) + "); name it with --dir");
        }
    }

    private static Path inDirectory(String name, Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            throw new FileSystemException(place.toString(), null, "no such directory");
        }
        Path fetched = place.resolve(FetchAfterFlight.DIRECTORY);
        for (Path file : List.of(place.resolve(name), fetched.resolve(name))) {
            if (Files.isRegularFile(file)) {
                return file;
            }
        }
        FileDisk disk = new FileDisk(place);
        Optional<String> found = new LogDirectory(disk).file(name);
        if (found.isPresent()) {
            return place.resolve(found.get());
        }
        List<String> candidates = NamedLog.names(disk);
        candidates.addAll(names(Path.of("")));
        throw new FileSystemException(
                name,
                null,
                "no such file, and no such log in " + place + SimilarWord.hint(name, candidates)
                        + "; 'mavlogd logs' lists the logs");
    }

    private static FileSystemException missing(Path given, Iterable<String> names) {
        Path name = given.getFileName();
        String hint = name == null ? "" : SimilarWord.hint(name.toString(), names);
        return new FileSystemException(given.toString(), null, "no such file or directory" + hint);
    }

    /** Names of the files in a directory, as far as it is readable. */
    private static List<String> names(@Nullable Path place) {
        if (place == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(place)) {
            files.limit(MAX_CANDIDATES).forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (IOException e) {
            return names; // no suggestions
        }
        return names;
    }
}
