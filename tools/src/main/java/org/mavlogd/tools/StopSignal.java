package org.mavlogd.tools;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mavlogd.link.ShutdownHook;

/**
 * Makes a signal end the work of this thread instead of the program, so that its result is still printed. Created and
 * closed by that thread.
 */
public final class StopSignal implements AutoCloseable {
    // Set at the end of the program: from then on the thread only waits to exit, which it cannot do while hooks run.
    private static final CountDownLatch ENDED = new CountDownLatch(1);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final ShutdownHook hook;

    /** @param patienceMs maximum time that the program waits for the thread after a signal */
    public StopSignal(long patienceMs) {
        hook = ShutdownHook.add("stop-signal", () -> {
            asked.countDown();
            awaitEnd(patienceMs);
        });
    }

    /** Called when everything is printed and the program may exit. */
    static void ended() {
        ENDED.countDown();
    }

    /** Whether a signal arrived. */
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
            // The program ends in any case.
            var unused = ENDED.await(patienceMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
