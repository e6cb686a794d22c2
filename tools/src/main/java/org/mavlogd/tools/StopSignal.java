package org.mavlogd.tools;

import java.util.concurrent.CountDownLatch;

/**
 * Makes a signal end the run of this thread, not the program: what came of the run is still printed. Made and closed by the
 * thread that runs.
 */
final class StopSignal implements AutoCloseable {
    private static final long SUMMARY_WAIT_MS = 2000;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final Thread hook;

    StopSignal() {
        Thread runner = Thread.currentThread();
        hook = new Thread(
                () -> {
                    asked.countDown();
                    join(runner);
                },
                "simulate-stop");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether a signal came. */
    boolean isAsked() {
        return asked.getCount() == 0;
    }

    @Override
    public void close() {
        if (!isAsked()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private static void join(Thread runner) {
        try {
            runner.join(SUMMARY_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
