package org.mavlogd.tools;

import java.util.concurrent.CountDownLatch;
import org.mavlogd.link.ShutdownHook;

/**
 * Makes a signal end the run of this thread, not the program: the result of the run is still printed. Made and closed by the
 * thread that runs.
 */
public final class StopSignal implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final ShutdownHook hook;

    /** @param patienceMs how long the program waits for the thread to end after a signal */
    public StopSignal(long patienceMs) {
        Thread runner = Thread.currentThread();
        hook = ShutdownHook.add("stop-signal", () -> {
            asked.countDown();
            join(runner, patienceMs);
        });
    }

    /** Whether a signal came. */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits for a signal. */
    public void await() throws InterruptedException {
        asked.await();
    }

    @Override
    public void close() {
        hook.remove();
    }

    private static void join(Thread runner, long patienceMs) {
        try {
            runner.join(patienceMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
