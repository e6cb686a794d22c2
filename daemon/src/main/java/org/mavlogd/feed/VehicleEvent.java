package org.mavlogd.feed;

/** A fact about a vehicle that the recorder needs besides its log. */
public enum VehicleEvent {
    ARMED(1, true),
    DISARMED(2, true),
    /** Its state became critical or worse. */
    FAILSAFE(3, true),
    /** It reported its clock: microseconds since 1970 in UTC, not yet judged. */
    TIME(4, false),
    /** It said something of level critical, alert or emergency. */
    CRITICAL_TEXT(5, true);

    private static final VehicleEvent[] VALUES = values();
    private final int code;
    private final boolean urgent;

    VehicleEvent(int code, boolean urgent) {
        this.code = code;
        this.urgent = urgent;
    }

    /** Whether what is recorded must be on disk at once: it may be the last. */
    public boolean isUrgent() {
        return urgent;
    }

    /** How a record in the ring says it. */
    int code() {
        return code;
    }

    static VehicleEvent of(int code) {
        for (VehicleEvent event : VALUES) {
            if (event.code == code) {
                return event;
            }
        }
        throw new IllegalStateException("vehicle event " + code + " in the ring, allowed 1.." + VALUES.length);
    }
}
