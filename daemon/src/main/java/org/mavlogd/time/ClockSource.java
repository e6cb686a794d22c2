package org.mavlogd.time;

import java.util.Locale;

/** What a vehicle's clock is known from. */
public enum ClockSource {
    /** Nothing yet. */
    NONE(0),
    /** SYSTEM_TIME, which the vehicle sends unasked: its delay is not known. */
    SYSTEM_TIME(1),
    /** TIMESYNC, there and back. */
    TIMESYNC(2);

    private final int code;

    ClockSource(int code) {
        this.code = code;
    }

    /** As it stands in logs. */
    public int code() {
        return code;
    }

    /** In words, for people. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
