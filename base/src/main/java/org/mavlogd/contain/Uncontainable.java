package org.mavlogd.contain;

/**
 * The errors after which nothing in the process can be trusted: those of the virtual machine, also as the cause of another
 * error. A stack that overflowed is none of them, since it is empty again where the error is caught.
 */
public final class Uncontainable {
    private static final int MAX_CAUSES = 16;

    private Uncontainable() {}

    /** Whether this must end the process. */
    public static boolean is(Throwable error) {
        Throwable at = error;
        for (int i = 0; i < MAX_CAUSES && at != null; i++) {
            if (at instanceof VirtualMachineError && !(at instanceof StackOverflowError)) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }

    /**
     * Ends the process, by the handler of uncaught exceptions of this thread: whoever called might catch what is thrown. With a
     * handler that returns, as in tests, the caller continues.
     */
    public static void end(Throwable error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }
}
