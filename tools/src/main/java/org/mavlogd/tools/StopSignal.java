package org.mavlogd.tools;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mavlogd.link.ShutdownHook;

/**
 * Makes a signal end the run of this thread, not the program: the result of the run is still printed. Made and closed by the
 * thread that runs.
 */
public final class StopSignal implements AutoCloseable {
    // Of the program: from here on the thread only waits to exit, which it may not while hooks run.
    private static final CountDownLatch ENDED = new CountDownLatch(1);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final ShutdownHook hook;

    /** @param patienceMs how long the program waits for the thread to end after a signal */
    public StopSignal(long patienceMs) {
        hook = ShutdownHook.add("stop-signal", () -> {
            asked.countDown();
            awaitEnd(patienceMs);
        });
    }

    /** Says that all is done and printed, and the program may exit. */
    static void ended() {
        ENDED.countDown();
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

    private static void awaitEnd(long patienceMs) {
        try {
            // Late or not, the program ends.
            var unused = ENDED.await(patienceMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
