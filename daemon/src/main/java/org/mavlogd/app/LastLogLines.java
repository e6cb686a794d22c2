package org.mavlogd.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;
import org.mavlogd.cli.JournalFormatter;
import org.mavlogd.cli.LoggingSetup;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;

/**
 * The last lines of the recorder's own log in two small files, which remain after a crash: {@code .last-lines.log}, and
 * {@code .last-lines.1.log} with the lines before. Each line is {@code <epoch ms> <syslog priority> <text>}.
 *
 * <p>Lines go through a bounded queue to a separate thread, because no thread that logs may wait for a disk. While the
 * disk hangs, lines are dropped. A failure here affects nothing else.
 */
final class LastLogLines extends Handler {
    static final String FILE = ".last-lines.log";
    static final String OLDER_FILE = ".last-lines.1.log";

    /** Limit for each of the two files. */
    static final int MAX_BYTES = 32 << 10;

    private static final int QUEUED_LINES = 512;
    private static final int MAX_LINE_BYTES = 1024;
    // A thread that adds a line, or closes, wakes it.
    private static final long IDLE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Contains errors, which must not reach the code that logs. */
    private final ContainedPart errors = ContainedPart.unlisted("log.last-lines", Recovery.CONTINUES);

    private final Path directory;
    private final JournalFormatter formatter = new JournalFormatter(true, () -> ZoneOffset.UTC);
    private final ManyToOneConcurrentArrayQueue<String> queue = new ManyToOneConcurrentArrayQueue<>(QUEUED_LINES);
    private final Thread writer = new Thread(this::run, "last-lines");
    private @Nullable FileChannel channel;
    private volatile boolean closed;

    private LastLogLines(Path directory) {
        this.directory = directory;
        writer.setDaemon(true);
    }

    /** Starts to write log lines. */
    static LastLogLines begin(Path directory) {
        LastLogLines words = new LastLogLines(directory);
        words.writer.start();
        Logger.getLogger("").addHandler(words);
        return words;
    }

    ContainedPart errors() {
        return errors;
    }

    @Override
    public void publish(LogRecord event) {
        if (errors.mayRun()) {
            try {
                take(event);
            } catch (Throwable e) {
                errors.contain(e);
            }
        }
    }

    private void take(LogRecord event) {
        if (closed || !LoggingSetup.isWanted(event) || !isLoggable(event)) {
            return;
        }
        long epochMs = event.getMillis();
        // A stack trace has several lines, each with its priority: <4>text
        for (String line : List.of(formatter.format(event).split("\n"))) {
            int end = line.indexOf('>');
            if (end > 1) {
                queue.offer(epochMs + " " + line.substring(1, end) + " " + line.substring(end + 1) + "\n");
            }
        }
        LockSupport.unpark(writer);
    }

    private void run() {
        while (!closed || !queue.isEmpty()) {
            String line = queue.poll();
            if (line == null) {
                LockSupport.parkNanos(this, IDLE_NS);
            } else {
                errors.run(() -> write(line));
            }
        }
    }

    private void write(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, MAX_LINE_BYTES));
        if (buffer.remaining() == MAX_LINE_BYTES) {
            buffer.put(MAX_LINE_BYTES - 1, (byte) '\n');
        }
        try {
            FileChannel open = channel();
            while (buffer.hasRemaining()) {
                open.write(buffer);
            }
        } catch (IOException e) {
            closeChannel(); // the next line tries again; logging the failure would only add lines
        }
    }

    private FileChannel channel() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            Files.createDirectories(directory);
            open = FileChannel.open(
                    directory.resolve(FILE),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND);
            channel = open;
        }
        if (open.size() < MAX_BYTES) {
            return open;
        }
        closeChannel();
        Files.move(directory.resolve(FILE), directory.resolve(OLDER_FILE), StandardCopyOption.REPLACE_EXISTING);
        return channel();
    }

    private void closeChannel() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                return; // nothing can be done about it
            }
        }
    }

    /** Waits a moment until queued lines are written. */
    @Override
    public void flush() {
        long deadlineNs = System.nanoTime() + CLOSE_NS;
        LockSupport.unpark(writer);
        while (!queue.isEmpty() && deadlineNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    @Override
    public void close() {
        Logger.getLogger("").removeHandler(this);
        flush();
        closed = true;
        LockSupport.unpark(writer);
    }
}
