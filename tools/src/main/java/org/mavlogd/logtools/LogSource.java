package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Streams a log file to whoever reads it, and tells how far it is. */
final class LogSource {
    private static final int CHUNK_BYTES = 64 * 1024;

    /** Takes the next bytes of the file. */
    @FunctionalInterface
    interface Consumer {
        void feed(byte[] buffer, int offset, int length) throws IOException;
    }

    private LogSource() {}

    /** Reads the contents of a log; returns the size of the file in bytes. */
    static long read(Path file, ULogHandler handler, Progress progress) throws IOException {
        ULogReader reader = new ULogReader(handler);
        long size = stream(file, reader::feed, progress);
        reader.finish();
        return size;
    }

    /** Feeds the bytes of a file; returns how many there were. */
    static long stream(Path file, Consumer consumer, Progress progress) throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        ByteBuffer target = ByteBuffer.wrap(chunk);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long total = channel.size();
            long done = 0;
            int count;
            while ((count = channel.read(target.clear())) >= 0) {
                consumer.feed(chunk, 0, count);
                done += count;
                progress.onProgress(done, total);
            }
            return done;
        }
    }
}
