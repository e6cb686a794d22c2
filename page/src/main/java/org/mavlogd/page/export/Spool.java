package org.mavlogd.page.export;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.mavlogd.series.SeriesStore.NotWanted;
import org.mavlogd.series.SeriesStore.Wanted;
import org.mavlogd.text.Words;

/**
 * Directories for files that are sent and then deleted; those left by a killed process are deleted at the next start.
 * Their total size is limited, and the reserve of the disk for the recorder remains free. Only one is filled at a time,
 * because that takes memory. Any thread.
 */
public final class Spool {
    /** Bytes of the disk that remain free for the recorder. */
    public static final long RESERVE_BYTES = 256L << 20;

    private static final int CHECK_EVERY = 16;
    private static final long LOOK_MS = 100;

    private final Path directory;
    private final long maxBytes;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Semaphore filling = new Semaphore(1);

    /** Fills a directory. */
    @FunctionalInterface
    interface Filling {
        void run() throws IOException;
    }

    /**
     * Deletes directories of earlier runs.
     *
     * @param directory for this alone
     * @param maxBytes approximate limit of all files together
     */
    public Spool(Path directory, long maxBytes) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        try (Stream<Path> left = Files.list(directory)) {
            left.filter(Spool::isLeft).forEach(Spool::delete);
        } catch (IOException e) {
            // The directory does not exist yet, or some files cannot be deleted.
        }
    }

    /**
     * Whether the process that created this place has ended: another one may share our directory, and names start with
     * the process id.
     */
    private static boolean isLeft(Path place) {
        String process = String.valueOf(place.getFileName()).replaceFirst("-[0-9]+$", "");
        if (!process.matches("[0-9]{1,10}")) {
            return false;
        }
        long pid = Long.parseLong(process);
        return pid == ProcessHandle.current().pid() || ProcessHandle.of(pid).isEmpty();
    }

    private static void delete(Path place) {
        try (Stream<Path> files = Files.list(place)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(place);
        } catch (IOException e) {
            // Retried at the next start.
        }
    }

    Place open(Wanted wanted) throws IOException {
        Files.createDirectories(directory);
        String name = ProcessHandle.current().pid() + "-" + next.incrementAndGet();
        return new Place(Files.createDirectory(directory.resolve(name)), wanted);
    }

    /** One directory, until it is closed. */
    final class Place implements Closeable {
        private final Path place;
        private final Wanted wanted;
        private long counted;
        private int checks;

        private Place(Path place, Wanted wanted) {
            this.place = place;
            this.wanted = wanted;
        }

        Path directory() {
            return place;
        }

        /** Fills it when no other one is being filled. */
        void fill(Filling work) throws IOException {
            try {
                while (!filling.tryAcquire(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    wanted.check();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NotWanted();
            }
            try {
                work.run();
                count();
            } finally {
                filling.release();
            }
        }

        /** Called often while it is filled; throws if there is too much. */
        void check() {
            if (checks++ % CHECK_EVERY == 0) {
                try {
                    count();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private void count() throws IOException {
            long now = 0;
            for (Path file : files()) {
                now += file.toFile().length();
            }
            long all = bytes.addAndGet(now - counted);
            counted = now;
            if (all > maxBytes) {
                throw new FileSystemException(
                        "the tables",
                        null,
                        "they have more than " + Words.bytes(maxBytes) + "; choose topics or a range");
            }
            if (place.toFile().getUsableSpace() < RESERVE_BYTES) {
                throw new FileSystemException(
                        "the tables",
                        null,
                        "less than " + Words.bytes(RESERVE_BYTES)
                                + " would be left on the disk; choose topics or a range");
            }
        }

        /** Its files in the order of their names. */
        List<Path> files() throws IOException {
            try (Stream<Path> files = Files.list(place)) {
                return files.sorted().toList();
            }
        }

        @Override
        public void close() {
            delete(place);
            bytes.addAndGet(-counted);
        }
    }
}
