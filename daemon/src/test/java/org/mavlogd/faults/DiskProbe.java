package org.mavlogd.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long a disk takes to force a write, beside a program that uses the disk: what the program promises
 * depends on it. It forces one block of a file of its own, which forces nothing of other files.
 */
final class DiskProbe implements AutoCloseable {
    private static final int BLOCK = 4096;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A disk that takes this long stands still. */
    private static final long STANDSTILL_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final FileChannel file;
    private final Thread thread;
    // Guarded by this.
    private long sinceNs;
    private boolean isForcing;
    private long longestNs;
    private long standstillNs;

    DiskProbe(Path directory) throws IOException {
        file = FileChannel.open(
                directory.resolve("probe"),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        force();
        // From now on the file system has nothing to do but to write the block.
        file.force(true);
        thread = new Thread(this::run, "disk-probe");
        thread.setDaemon(true);
        thread.start();
    }

    /** The longest force so far, including one that has not ended. */
    synchronized Duration longest() {
        return Duration.ofNanos(Math.max(longestNs, currentNs()));
    }

    /** The whole time that the disk has stood still; zero on a disk that always answered soon. */
    synchronized Duration standstill() {
        return Duration.ofNanos(standstillNs + standstill(currentNs()));
    }

    private long currentNs() {
        return isForcing ? System.nanoTime() - sinceNs : 0;
    }

    private static long standstill(long forceNs) {
        return forceNs >= STANDSTILL_NS ? forceNs : 0;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                begin();
                force();
                end();
                LockSupport.parkNanos(PAUSE_NS);
            }
        } catch (IOException e) {
            end(); // the disk lost its power, or the measurement is over
        }
    }

    private void force() throws IOException {
        ByteBuffer block = ByteBuffer.allocate(BLOCK);
        while (block.hasRemaining()) {
            file.write(block, block.position());
        }
        file.force(false);
    }

    private synchronized void begin() {
        sinceNs = System.nanoTime();
        isForcing = true;
    }

    private synchronized void end() {
        long forceNs = currentNs();
        longestNs = Math.max(longestNs, forceNs);
        standstillNs += standstill(forceNs);
        isForcing = false;
    }

    @Override
    public void close() throws IOException {
        thread.interrupt(); // closes the file in a force
        try {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        file.close();
    }
}
