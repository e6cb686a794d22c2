package org.mavlogd.contain;

/**
 * The errors after which nothing in the process can be trusted: errors of the virtual machine, also as cause of another
 * error. A stack overflow is not among them, since the stack is unwound where the error is caught.
 */
public final class Uncontainable {
    private static final int MAX_CAUSES = 16;

    private Uncontainable() {}

    /** Whether this error must end the process. */
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
     * Ends the process through this thread's handler of uncaught exceptions, because callers might catch a thrown
     * error. If the handler returns, as in tests, the caller continues.
     */
    public static void end(Throwable error) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }
}
