package org.mavlogd.app;

/** What the process says when it ends. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    /** Something was wrong with the data, and the rest was done. */
    static final int PARTIAL = 3;
    /** A broken invariant of our own: EX_SOFTWARE of sysexits.h. */
    static final int SOFTWARE = 70;
    /** The configuration is wrong, or the processor: EX_CONFIG of sysexits.h. Starting again would not help. */
    static final int CONFIG = 78;

    private ExitCode() {}
}
