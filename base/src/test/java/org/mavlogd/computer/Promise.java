package org.mavlogd.computer;

import java.time.Duration;

/** Times that the program promises, as tests can ask for them. */
public final class Promise {
    private static final int BUSY = 8;

    private Promise() {}

    /** The promised time; more of it in a build, where other tests keep the processors busy. */
    public static Duration of(Duration time) {
        return Boolean.getBoolean("mavlogd.tests-beside") ? time.multipliedBy(BUSY) : time;
    }
}
