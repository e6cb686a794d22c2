package org.mavlogd.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of procfs or sysfs that is read repeatedly: it stays open, and each reading starts at position 0, which makes
 * the kernel generate it again. After a failure the next reading opens it again.
 *
 * <p>Owned by one thread at a time. Reading allocates nothing.
 */
public final class SmallFile implements AutoCloseable {
    // A first part shorter than this is the complete file, because the kernel fills pages as far as its records allow.
    private static final int SURELY_WHOLE = 2048;

    private final Path path;
    private @Nullable FileChannel channel;

    public SmallFile(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Reads the file into {@code text}, as much as fits. */
    public void read(TextBuffer text) throws IOException {
        try {
            ByteBuffer bytes = text.clear();
            FileChannel file = open();
            int length = file.read(bytes, 0);
            while (length > 0 && bytes.position() >= SURELY_WHOLE && bytes.hasRemaining()) {
                length = file.read(bytes, bytes.position());
            }
            text.flip();
        } catch (IOException e) {
            close();
            throw e instanceof ClosedByInterruptException ? e : new IOException(path + ": " + reason(e), e);
        }
    }

    private FileChannel open() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = FileChannel.open(path, StandardOpenOption.READ);
            channel = open;
        }
        return open;
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileSystemException failure && failure.getReason() != null) {
            return failure.getReason();
        }
        return String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It was only read: no data is lost.
            }
        }
    }
}
