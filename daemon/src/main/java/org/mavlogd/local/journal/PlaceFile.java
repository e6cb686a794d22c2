package org.mavlogd.local.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small text file with the place in the journal, replaced as a whole. It is not forced to the medium: after a loss of power
 * it may be the one before or gone, and then only entries of another boot lie between.
 */
final class PlaceFile {
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

    /** Empty when there is no file; an exception when there is one that cannot be read or is damaged. */
    Optional<JournalPlace> load() throws IOException {
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
                text.group(1) != null
                        ? JournalPlace.at(text.group(1))
                        : JournalPlace.since(Long.parseLong(text.group(2))));
    }

    void store(JournalPlace place) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " is no file");
        }
        Files.createDirectories(directory);
        Path next = directory.resolve(file.getFileName() + ".new");
        String what = place.hasCursor() ? "cursor " + place.cursor() : "since " + place.sinceEpochUs();
        Files.writeString(next, "mavlogd journal 1 " + what + "\n", StandardCharsets.US_ASCII);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
