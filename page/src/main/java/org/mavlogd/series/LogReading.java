package org.mavlogd.series;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Reads a ULog and continues when it has grown. */
public final class LogReading {
    private static final int CHUNK_BYTES = 256 * 1024;

    private final ULogReader reader;
    private final @Nullable Object fileKey;
    private FileTime modified;
    private long fed;
    private boolean isFinished;

    /** Checks from time to time whether the result is still wanted. */
    @FunctionalInterface
    public interface Patience {
        /** Returns if it is; otherwise throws {@link SeriesStore.NotWanted}. */
        void check() throws IOException;
    }

    public LogReading(Path log, ULogHandler handler) throws IOException {
        this.reader = new ULogReader(handler);
        BasicFileAttributes file = Files.readAttributes(log, BasicFileAttributes.class);
        this.fileKey = file.fileKey();
        this.modified = file.lastModifiedTime();
    }

    /** Whether the file is the one that was read, or starts with it. */
    public boolean isOf(Path log) throws IOException {
        BasicFileAttributes file = Files.readAttributes(log, BasicFileAttributes.class);
        boolean isLonger = file.size() > fed;
        boolean isSameLength =
                file.size() == fed && (!isFinished || file.lastModifiedTime().equals(modified));
        return Objects.equals(fileKey, file.fileKey()) && (isSameLength || (isLonger && !isFinished));
    }

    /**
     * Reads the new part of the log.
     *
     * @param isGrowing whether more may follow: then the last message, which the next one must confirm, is left for
     *     later
     */
    public void extend(Path log, boolean isGrowing, Patience patience) throws IOException {
        if (isFinished) {
            return;
        }
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            modified = Files.getLastModifiedTime(log);
            byte[] chunk = new byte[CHUNK_BYTES];
            ByteBuffer buffer = ByteBuffer.wrap(chunk);
            for (int count; (count = channel.read(buffer.clear(), fed)) > 0; ) {
                reader.feed(chunk, 0, count);
                fed += count;
                patience.check();
            }
        }
        if (!isGrowing) {
            reader.finish();
            isFinished = true;
        }
    }

    /** During a call of the handler: position of the message. */
    long messagePosition() {
        return reader.messagePosition();
    }
}
