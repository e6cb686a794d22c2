package org.mavlogd.contain;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Collects the errors that would end the process: those that reach the handler of uncaught exceptions of a thread. */
public final class UncaughtErrors {
    private UncaughtErrors() {}

    /** Runs it on a thread and waits; what ends the process there comes back. */
    public static List<Throwable> of(Runnable work) {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(work, "uncaught-errors");
        thread.setUncaughtExceptionHandler((where, error) -> uncaught.add(error));
        thread.start();
        try {
            thread.join(20_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thread.isAlive()) {
            throw new AssertionError("the work does not end");
        }
        return uncaught;
    }
}
