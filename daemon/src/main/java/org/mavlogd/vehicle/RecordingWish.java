package org.mavlogd.vehicle;

/** Decides from mode and arming whether a vehicle's log is wanted. Pure; time is an argument. */
final class RecordingWish {
    private final RecordingMode mode;
    private final long leadOutNs;
    private boolean armed;
    private boolean everArmed;
    private long disarmedNs;

    RecordingWish(RecordingMode mode, long leadOutNs) {
        this.mode = mode;
        this.leadOutNs = leadOutNs;
    }

    void onArming(boolean isArmed, long nowNs) {
        if (armed && !isArmed) {
            disarmedNs = nowNs;
        }
        armed = isArmed;
        everArmed |= isArmed;
    }

    boolean isArmed() {
        return armed;
    }

    boolean isWanted(long nowNs) {
        return switch (mode) {
            case ALWAYS -> true;
            case ARMED -> armed || (everArmed && nowNs - disarmedNs < leadOutNs);
        };
    }
}
