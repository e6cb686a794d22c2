package org.mavlogd.fleet.state;

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
import java.util.Objects;
import java.util.Optional;

/** Small text files that have either their old or their new content after a power cut. */
public final class DurableFile {
    private static final String ASIDE = ".new";

    private DurableFile() {}

    /** Writes a file, which survives a power cut when this returns. Its directory must exist. */
    public static void write(Path file, String text) throws IOException {
        replace(file, text, true);
        force(Objects.requireNonNull(file.getParent()));
    }

    /** Writes a file that need not survive a power cut: readers see its old or its new content. */
    public static void replace(Path file, String text) throws IOException {
        replace(file, text, false);
    }

    private static void replace(Path file, String text, boolean isForced) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ASIDE);
        try (FileChannel channel = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (isForced) {
                channel.force(true);
            }
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes the names in a directory durable. */
    static void force(Path directory) throws IOException {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    /** The content of a file; empty if it does not exist, or is longer than this program writes. */
    public static Optional<String> read(Path file, int maxBytes) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            return bytes.length > maxBytes ? Optional.empty() : Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
