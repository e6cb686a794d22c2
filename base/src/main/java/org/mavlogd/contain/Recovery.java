package org.mavlogd.contain;

import java.util.concurrent.TimeUnit;

/** The way in which a part recovers after an error. */
public enum Recovery {
    /**
     * The part continues with its next call, so that an error only costs the message that caused it. From the ninth
     * error on it pauses like {@link #PAUSES}.
     */
    CONTINUES(8),
    /**
     * The part is not called for one second after the first error, and for twice as long after each further one, up to
     * a minute.
     */
    PAUSES(0),
    /** The part is not called again. */
    STAYS_OFF(0);

    static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    static final long MAX_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    private final int freeErrors;

    Recovery(int freeErrors) {
        this.freeErrors = freeErrors;
    }

    long pauseNs(int errorsInARow) {
        return this == STAYS_OFF
                ? Long.MAX_VALUE
                : RetryDelay.delayNs(errorsInARow, freeErrors, FIRST_PAUSE_NS, MAX_PAUSE_NS);
    }
}
