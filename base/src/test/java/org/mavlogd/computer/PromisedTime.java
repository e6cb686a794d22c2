package org.mavlogd.computer;

import java.time.Duration;

/** The time limit of a test for something that the program promises within a time. */
public final class PromisedTime {
    private static final int BUSY = 8;

    private PromisedTime() {}

    /** The promised time, or a multiple of it while other tests keep the processors busy. */
    public static Duration of(Duration promised) {
        return of(promised, hasTestsBeside());
    }

    /** The promised time, or a multiple of it where other programs keep the processors busy. */
    public static Duration of(Duration promised, boolean isBusy) {
        return isBusy ? promised.multipliedBy(BUSY) : promised;
    }

    /** Whether other tests run at the same time, as in a build. */
    public static boolean hasTestsBeside() {
        return Boolean.getBoolean("mavlogd.tests-beside");
    }
}
