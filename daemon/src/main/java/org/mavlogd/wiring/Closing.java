package org.mavlogd.wiring;

/** Closes several parts, even if some of them fail. */
final class Closing {
    private Closing() {}

    /**
     * Runs all steps in order, then throws the first failure, with the others suppressed. Errors are failures, too:
     * after an upgrade has replaced the jar of the running program, classes that are needed for the first time are
     * missing.
     */
    static void all(Iterable<Runnable> steps) {
        Throwable first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
    }
}
