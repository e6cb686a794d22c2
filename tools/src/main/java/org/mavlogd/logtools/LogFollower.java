package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** Reads a ULog while it is being written, until the recorder gives it its final name. */
public final class LogFollower {
    private static final String UNFINISHED = ".part";
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private LogFollower() {}

    /** Called whenever the end of the file is reached. */
    @FunctionalInterface
    public interface CaughtUp {
        void run() throws IOException;
    }

    public static void read(Path log, ULogHandler handler, CaughtUp caughtUp) throws IOException {
        requireULog(log);
        ULogReader reader = new ULogReader(handler);
        byte[] chunk = new byte[CHUNK_BYTES];
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            boolean isLast = false;
            while (!isLast) {
                // Checked before reading, so that everything written before the renaming is read.
                isLast = !isUnfinished(log) || Thread.currentThread().isInterrupted();
                for (int count = read(channel, chunk); count > 0; count = read(channel, chunk)) {
                    reader.feed(chunk, 0, count);
                }
                caughtUp.run();
                if (!isLast) {
                    LockSupport.parkNanos(INTERVAL_NS);
                }
            }
        }
        reader.finish();
    }

    public static int read(FileChannel channel, byte[] chunk) throws IOException {
        return channel.read(ByteBuffer.wrap(chunk));
    }

    private static void requireULog(Path log) throws IOException {
        try (LogBytes bytes = LogBytes.open(log)) {
            if (!bytes.isRereadable() || bytes.isGzip() || !bytes.isULog()) {
                throw new ULogException("only a file with a ULog can be followed, neither standard input nor gzip nor "
                        + "a log of ArduPilot or of telemetry, beside which the recorder writes a ULog");
            }
        }
    }

    private static boolean isUnfinished(Path log) {
        return log.toString().endsWith(UNFINISHED) && Files.exists(log);
    }
}
