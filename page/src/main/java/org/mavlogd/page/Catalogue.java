package org.mavlogd.page;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.LogDirectory;
import org.mavlogd.store.LogKind;
import org.mavlogd.wiring.FetchAfterFlight;

/**
 * The logs in some directories; each file is one log. Logs have the names of their files. If an earlier directory has a
 * file of the same name, as with the folders of PX4's card ({@code sess001/log100.ulg}, {@code sess002/log100.ulg}),
 * the directory's name precedes it: {@code sess002_log100.ulg}. A name is checked before it becomes part of a path. Any
 * thread.
 */
final class Catalogue {
    static final int MAX_LOGS = 100_000;

    private static final Pattern NAME = Pattern.compile("[^/\\\\\\p{Cntrl}.][^/\\\\\\p{Cntrl}]{0,510}");
    private static final String KEEP = ".keep";
    private static final String PART = ".part";
    private static final String GZIP = ".gz";
    private static final String SEPARATOR = "_";
    private static final Pattern NO_LABEL = Pattern.compile("^\\.+|[\\\\\\p{Cntrl}]");

    private final List<Path> directories;
    private final List<Place> places = new ArrayList<>();

    /** A directory with the words that distinguish it from the others. */
    private record Place(Path directory, String label) {
        String labelled(String name) {
            return label + SEPARATOR + name;
        }

        /** The name without the label; empty if it has another one. */
        Optional<String> withoutLabel(String name) {
            return name.startsWith(labelled(""))
                    ? Optional.of(name.substring(labelled("").length()))
                    : Optional.empty();
        }
    }

    /** The state of a log. */
    enum State {
        RECORDING,
        FINISHED,
        UNFINISHED
    }

    /**
     * A log.
     *
     * @param name that of its file, or longer
     * @param modifiedMs since 1970
     * @param isKept whether it is marked as never to be deleted
     */
    record Entry(String name, Path file, long bytes, long modifiedMs, LogKind kind, State state, boolean isKept) {}

    Catalogue(List<Path> directories) {
        this.directories = List.copyOf(directories);
        List<Path> all = directories.stream()
                .flatMap(directory -> Stream.of(directory, directory.resolve(FetchAfterFlight.DIRECTORY)))
                .map(Catalogue::real)
                .distinct()
                .toList();
        all.forEach(directory -> places.add(new Place(directory, label(directory, all))));
    }

    /** Without links, so that a directory that is named in two ways is one. */
    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory.toAbsolutePath().normalize(); // it may come later
        }
    }

    /** The shortest end of a path that no other one has, as the beginning of a name. */
    private static String label(Path directory, List<Path> all) {
        List<String> parts = new ArrayList<>();
        directory.forEach(part -> parts.add(part.toString()));
        int begin = parts.size() - 1;
        while (begin > 0 && all.stream().filter(endingWith(directory, begin)).count() > 1) {
            begin--;
        }
        return NO_LABEL.matcher(String.join(SEPARATOR, parts.subList(Math.max(0, begin), parts.size())))
                .replaceAll("");
    }

    private static Predicate<Path> endingWith(Path directory, int begin) {
        Path end = directory.subpath(begin, directory.getNameCount());
        return other -> other.endsWith(end);
    }

    List<Path> directories() {
        return directories;
    }

    /** All logs. A missing directory has none. */
    List<Entry> all() throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Place place : places) {
            list(place, entries);
        }
        return List.copyOf(entries.values());
    }

    private static void list(Place place, Map<String, Entry> entries) throws IOException {
        Path directory = place.directory();
        Set<String> marks = new HashSet<>();
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(KEEP)) {
                    marks.add(mark(name.substring(0, name.length() - KEEP.length())));
                } else if (names.size() < MAX_LOGS && isName(name)) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        FileDisk disk = new FileDisk(directory);
        names.removeAll(besideLogs(names));
        for (String file : names) {
            if (entries.size() < MAX_LOGS) {
                String name = entries.containsKey(file) ? place.labelled(file) : file;
                entry(disk, directory.resolve(file), name, marks.contains(mark(file)))
                        .ifPresent(entry -> entries.putIfAbsent(name, entry));
            }
        }
    }

    /** Names of telemetry next to other logs: it is only listed separately if there is no other file of its log. */
    private static Set<String> besideLogs(List<String> names) {
        Set<String> logs = new HashSet<>();
        for (String name : names) {
            if (!isTelemetry(name)) {
                LogDirectory.identity(name).ifPresent(logs::add);
            }
        }
        Set<String> beside = new HashSet<>();
        for (String name : names) {
            if (isTelemetry(name)
                    && LogDirectory.identity(name).filter(logs::contains).isPresent()) {
                beside.add(name);
            }
        }
        return beside;
    }

    private static boolean isTelemetry(String name) {
        return kind(name).filter(LogKind.TLOG::equals).isPresent();
    }

    /** The part of a log's name that its mark shares. */
    private static String mark(String name) {
        return LogDirectory.identity(name).orElse(name);
    }

    private static Optional<Entry> entry(FileDisk disk, Path file, String name, boolean isKept) {
        String fileName = String.valueOf(file.getFileName());
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                return Optional.empty();
            }
            return Optional.of(new Entry(
                    name,
                    file,
                    attributes.size(),
                    attributes.lastModifiedTime().toMillis(),
                    kind(fileName).orElseThrow(),
                    state(disk, fileName),
                    isKept));
        } catch (IOException e) {
            return Optional.empty(); // just deleted
        }
    }

    private static State state(FileDisk disk, String name) {
        if (!name.endsWith(PART)) {
            return LogKind.of(name).isEmpty() || isWhole(name) ? State.FINISHED : State.UNFINISHED;
        }
        return disk.isGrowing(name) ? State.RECORDING : State.UNFINISHED;
    }

    private static boolean isWhole(String name) {
        return LogKind.of(name).filter(kind -> name.endsWith(kind.finished(""))).isPresent();
    }

    private static Optional<LogKind> kind(String name) {
        return LogKind.of(name.endsWith(GZIP) ? name.substring(0, name.length() - GZIP.length()) : name);
    }

    /** A line for each directory that has no logs, but subfolders: the cards of vehicles have one for each day. */
    List<String> unreadFolders() {
        return directories.stream()
                .filter(Catalogue::hasOnlyFolders)
                .map(directory -> directory + ": no logs here, and subfolders are not read; to show their logs: "
                        + "mavlogd page --directory " + quoted(directory.toString()) + "/*/")
                .toList();
    }

    private static boolean hasOnlyFolders(Path directory) {
        boolean hasFolder = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (isName(name) || name.equals(FetchAfterFlight.DIRECTORY)) {
                    return false;
                }
                hasFolder |= !name.startsWith(".") && Files.isDirectory(file);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // problems are reported when it is listed
        }
        return hasFolder;
    }

    /** A word for the shell. */
    private static String quoted(String path) {
        return path.matches("[\\w./@%+,:=-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }

    /** The name of the latest log of a kind that is being written. */
    Optional<String> recording(LogKind kind) throws IOException {
        List<String> growing = new ArrayList<>();
        for (Path directory : directories) {
            FileDisk disk = new FileDisk(directory);
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + PART)) {
                for (Path file : files) {
                    String name = String.valueOf(file.getFileName());
                    if (kind(name).filter(kind::equals).isPresent() && state(disk, name) == State.RECORDING) {
                        growing.add(name);
                    }
                }
            } catch (NoSuchFileException | NotDirectoryException e) {
                // a missing directory has none
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        return growing.stream().max(Comparator.naturalOrder());
    }

    /** Whether a file with this name may be a log. */
    private static boolean isName(String name) {
        return NAME.matcher(name).matches() && kind(name).isPresent();
    }

    /**
     * Finds a log by name; a recording of this name may be finished by now.
     *
     * @throws Problem if there is none
     */
    Entry find(String name) throws IOException {
        if (isName(name)) {
            List<String> names = name.endsWith(PART)
                    ? List.of(name, name.substring(0, name.length() - PART.length()))
                    : List.of(name);
            for (String candidate : names) {
                Optional<Entry> found = look(candidate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw new Problem(404, "there is no log \"" + name + "\"");
    }

    private Optional<Entry> look(String name) {
        Optional<Entry> found = places.stream()
                .flatMap(place -> look(place, name, name).stream())
                .findFirst();
        return found.or(() -> places.stream()
                .flatMap(place -> place.withoutLabel(name).filter(Catalogue::isName).stream()
                        .flatMap(file -> look(place, file, name).stream()))
                .findFirst());
    }

    private static Optional<Entry> look(Place place, String file, String name) {
        return entry(new FileDisk(place.directory()), place.directory().resolve(file), name, false);
    }
}
