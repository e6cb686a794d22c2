package org.mavlogd.feed;

/** A fact about a vehicle that the recorder needs besides its log. */
public enum VehicleEvent {
    ARMED(1, true),
    DISARMED(2, true),
    /** Its state became critical or worse. */
    FAILSAFE(3, true),
    /** It reported its clock: microseconds since 1970 in UTC, not validated. */
    TIME(4, false),
    /** It sent a STATUSTEXT of severity critical, alert or emergency. */
    CRITICAL_TEXT(5, true);

    private static final VehicleEvent[] VALUES = values();
    private final int code;
    private final boolean urgent;

    VehicleEvent(int code, boolean urgent) {
        this.code = code;
        this.urgent = urgent;
    }

    /** Whether recorded data must be on disk at once, because the vehicle may crash. */
    public boolean isUrgent() {
        return urgent;
    }

    /** The value in a ring record. */
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
