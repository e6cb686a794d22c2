package org.mavlogd.signing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of signing that outlives restarts: the time up to which signed frames may have been accepted or sent. A
 * small text file, replaced atomically and forced to disk.
 */
class SigningState {
    private static final int MAX_LENGTH = 64;
    private static final Pattern TEXT = Pattern.compile("mavlogd signing 1 ([0-9]{1,15})\n");

    private final Path file;

    SigningState(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** The stored time; empty if there is no file. Throws if the file cannot be read or is damaged. */
    OptionalLong load() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_LENGTH);
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
        Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
        if (!text.matches()) {
            throw new IOException(file + " is damaged");
        }
        return OptionalLong.of(Long.parseLong(text.group(1)));
    }

    /**
     * The latest time that a frame could have been accepted with when the file was written, by its date; 0 if unknown.
     */
    long changed() {
        try {
            long changedMs = Files.getLastModifiedTime(file).toMillis();
            long written = new SigningClock(() -> changedMs, 0).now();
            return written == 0 ? 0 : written + SigningAgent.AHEAD_UNITS;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Stores the time; returns when it is on disk. */
    void store(long stamp) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " is not a file");
        }
        Files.createDirectories(directory);
        Path next = directory.resolve(file.getFileName() + ".new");
        byte[] text = ("mavlogd signing 1 " + stamp + "\n").getBytes(StandardCharsets.US_ASCII);
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer buffer = ByteBuffer.wrap(text);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
