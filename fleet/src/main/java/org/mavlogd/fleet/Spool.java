package org.mavlogd.fleet;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.mavlogd.fleet.targets.Throttle;
import org.mavlogd.store.FileDisk;
import org.mavlogd.store.SpaceLimits;

/**
 * Temporary files for one target other than logs: manifests and compressed copies, one at a time. Owned by one thread.
 */
final class Spool {
    static final String COMPRESSED = ".zst";

    private static final int LEVEL = 3;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path directory;
    private final SpaceLimits space;

    /** @param space that the recorder needs, which copies never use */
    Spool(Path directory, SpaceLimits space) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.space = space;
    }

    Path text(String name, String text) throws IOException {
        return Files.write(directory.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether there is room for a copy that compression does not shrink. */
    boolean hasRoomFor(String name, long bytes) throws IOException {
        return Files.exists(directory.resolve(name + COMPRESSED)) || space.spareBytes(new FileDisk(directory)) > bytes;
    }

    /** Returns a compressed copy, perhaps from an earlier attempt: it has the modification time of its log. */
    Path compressed(LogFile file, Path log, Throttle throttle) throws IOException {
        Path whole = directory.resolve(file.name() + COMPRESSED);
        long modifiedMs = file.version().modifiedMs();
        if (Files.exists(whole) && Files.getLastModifiedTime(whole).toMillis() == modifiedMs) {
            return whole;
        }
        clear();
        Path part = directory.resolve(file.name() + COMPRESSED + ".part");
        try (InputStream in = Files.newInputStream(log);
                OutputStream out = new ZstdOutputStream(Files.newOutputStream(part), LEVEL).setChecksum(true)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                throttle.check();
                out.write(buffer, 0, count);
            }
        }
        Files.setLastModifiedTime(part, FileTime.fromMillis(modifiedMs));
        try (FileChannel content = FileChannel.open(part, StandardOpenOption.WRITE)) {
            content.force(true); // or a power cut may leave the name with incomplete content
        }
        return Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes all copies. */
    void clear() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }
}
