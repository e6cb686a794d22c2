package org.mavlogd.local;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that a {@link Sampler}'s sources read on: one as a rule, and another for each reading that hangs. */
public final class ReadingThreads {
    /** So many readings may hang until further ones are refused. */
    static final int MAX_THREADS = 8;

    private static final long SPARE_SECONDS = 5;

    private ReadingThreads() {}

    /** Threads {@code sampler-read}, which do not keep the process alive. To be shut down by the caller. */
    public static ThreadPoolExecutor create() {
        return new ThreadPoolExecutor(
                1, MAX_THREADS, SPARE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(work, "sampler-read");
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
