package org.mavlogd.computer;

import java.time.Duration;

/** The time that a test allows where the program promises one. */
public final class PromisedTime {
    private static final int BUSY = 8;

    private PromisedTime() {}

    /** The promised time; a multiple of it while other tests keep the processors busy. */
    public static Duration of(Duration promised) {
        return hasTestsBeside() ? promised.multipliedBy(BUSY) : promised;
    }

    /** Whether other tests run beside this one, as in a build. */
    public static boolean hasTestsBeside() {
        return Boolean.getBoolean("mavlogd.tests-beside");
    }
}
