package org.mavlogd.wiring;

/** Closes several parts, even if some of them fail. */
final class Closing {
    private Closing() {}

    /** Runs all steps in order, then throws the first failure, with the others suppressed. */
    static void all(Iterable<Runnable> steps) {
        RuntimeException first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
