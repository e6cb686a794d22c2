package org.mavlogd.contain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects errors that would end the process: those that reach a thread's handler of uncaught exceptions. */
public final class UncaughtErrors {
    private UncaughtErrors() {}

    /** Runs {@code work} on a thread, waits for its end, and returns the errors that would have ended the process. */
    public static List<Throwable> of(Runnable work) {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(work, "uncaught-errors");
        thread.setUncaughtExceptionHandler((where, error) -> uncaught.add(error));
        thread.start();
        try {
            thread.join(50_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thread.isAlive()) {
            throw new AssertionError("the work does not end");
        }
        return uncaught;
    }
}
