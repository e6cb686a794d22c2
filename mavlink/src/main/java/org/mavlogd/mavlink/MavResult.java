package org.mavlogd.mavlink;

/** Values of MAV_RESULT, the answer to a command. */
public final class MavResult {
    public static final int ACCEPTED = 0;
    public static final int TEMPORARILY_REJECTED = 1;
    public static final int DENIED = 2;
    public static final int UNSUPPORTED = 3;
    public static final int FAILED = 4;
    public static final int IN_PROGRESS = 5;
    public static final int CANCELLED = 6;

    private MavResult() {}
}
