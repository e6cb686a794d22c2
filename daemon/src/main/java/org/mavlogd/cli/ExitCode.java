package org.mavlogd.cli;

/** Exit codes of all commands. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    /** Some data was bad, and the rest was processed. */
    public static final int PARTIAL = 3;
    /** Internal error: EX_SOFTWARE of sysexits.h. */
    public static final int SOFTWARE = 70;
    /** Wrong configuration or processor: EX_CONFIG of sysexits.h. A restart would not help. */
    public static final int CONFIG = 78;

    private ExitCode() {}
}
