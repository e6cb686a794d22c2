package org.mavlogd.cli;

/** Exit codes of all commands. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    /** Something was wrong with the data, and the rest was done. */
    public static final int PARTIAL = 3;
    /** A broken invariant of our own: EX_SOFTWARE of sysexits.h. */
    public static final int SOFTWARE = 70;
    /** The configuration is wrong, or the processor: EX_CONFIG of sysexits.h. Starting again would not help. */
    public static final int CONFIG = 78;

    private ExitCode() {}
}
