package org.mavlogd.local.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.metrics.ProblemLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the position in the journal over restarts. The stored position is one second behind the last published entry,
 * which may not be on disk yet: after a crash the messages of the last seconds come twice rather than not at all. An
 * orderly end stores the exact position. Owned by one thread, which may wait for the disk.
 */
final class PlaceKeeper {
    static final long STORE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(PlaceKeeper.class);

    private final PlaceFile file;
    private final ProblemLog problems = new ProblemLog(LOG);
    private Place place = Place.since(0);
    private Place settled = place;
    private Place stored = place;
    private long lookedNs;

    PlaceKeeper(Path file) {
        this.file = new PlaceFile(file);
    }

    /** Determines where to begin: now, if no position is stored. */
    void load(long nowEpochUs, long nowNs) {
        lookedNs = nowNs;
        Optional<Place> found = Optional.empty();
        try {
            found = file.load();
        } catch (IOException e) {
            LOG.warn(
                    "journal: the position of the previous run is unknown, so it is read from now on: {}",
                    e.toString());
        }
        place = found.orElseGet(() -> Place.since(nowEpochUs));
        settled = place;
        stored = place;
        if (found.isEmpty()) {
            // At once: if this run ends before the first entry, the next one begins here again.
            store(place);
        }
    }

    Place place() {
        return place;
    }

    /** Notes that all entries up to here are published. */
    void moveTo(Place next) {
        place = next;
    }

    /** Stores the position, at most once a second. */
    void tick(long nowNs) {
        if (nowNs - lookedNs < STORE_INTERVAL_NS) {
            return;
        }
        lookedNs = nowNs;
        if (!settled.equals(stored)) {
            store(settled);
        }
        settled = place;
    }

    /** Stores the exact position at the end, when all published entries will be on disk. */
    void close() {
        if (!place.equals(stored)) {
            store(place);
        }
    }

    private void store(Place what) {
        try {
            file.store(what);
            stored = what;
            problems.resolved("journal: the position can be stored in " + file.path() + " again");
        } catch (IOException e) {
            problems.report("journal: cannot store the position in " + file.path()
                    + ", so messages may come twice after a restart: " + e);
        }
    }

    /**
     * A small text file with the position in the journal, replaced atomically. It is not forced to disk: after a power
     * cut it may be an older one or gone, and then only entries of the previous boot come twice.
     */
    private static final class PlaceFile {
        private static final int MAX_LENGTH = 1024;
        private static final Pattern TEXT =
                Pattern.compile("mavlogd journal 1 (?:cursor ([!-~]{1,512})|since ([0-9]{1,18}))\n");

        private final Path file;

        PlaceFile(Path file) {
            this.file = file;
        }

        Path path() {
            return file;
        }

        /** Empty if there is no file; throws if it cannot be read or is damaged. */
        Optional<Place> load() throws IOException {
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(MAX_LENGTH);
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
            Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
            if (!text.matches()) {
                throw new IOException(file + " is damaged");
            }
            return Optional.of(
                    text.group(1) != null ? Place.at(text.group(1)) : Place.since(Long.parseLong(text.group(2))));
        }

        void store(Place place) throws IOException {
            Path directory = file.toAbsolutePath().getParent();
            if (directory == null) {
                throw new IOException(file + " is not a file");
            }
            Files.createDirectories(directory);
            Path next = directory.resolve(file.getFileName() + ".new");
            String what = place.hasCursor() ? "cursor " + place.cursor() : "since " + place.sinceEpochUs();
            Files.writeString(next, "mavlogd journal 1 " + what + "\n", StandardCharsets.US_ASCII);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * A position in the journal.
     *
     * @param cursor of the last entry; empty if there was none
     * @param sinceEpochUs without cursor: the wall clock time from which on entries are wanted
     */
    record Place(String cursor, long sinceEpochUs) {
        private static final Pattern CURSOR = Pattern.compile("[!-~]{1,512}");
        private static final long US_PER_S = 1_000_000;

        static Place since(long epochUs) {
            return new Place("", Math.max(0, epochUs));
        }

        static Place at(String cursor) {
            return new Place(cursor, 0);
        }

        /** Whether a text can be a cursor: one word of printable characters. */
        static boolean isCursor(String text) {
            return CURSOR.matcher(text).matches();
        }

        boolean hasCursor() {
            return !cursor.isEmpty();
        }

        /**
         * The argument for journalctl. The entry at the cursor comes once more, to check that the journal still has it.
         * If it does not, {@code --after-cursor} would start anywhere and lose an entry.
         */
        String argument() {
            return hasCursor()
                    ? "--cursor=" + cursor
                    : String.format(Locale.ROOT, "--since=@%d.%06d", sinceEpochUs / US_PER_S, sinceEpochUs % US_PER_S);
        }
    }
}
