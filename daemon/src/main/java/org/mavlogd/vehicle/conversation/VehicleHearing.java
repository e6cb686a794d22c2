package org.mavlogd.vehicle.conversation;

import java.util.concurrent.TimeUnit;

/** Remembers when a vehicle was heard, and judges from its time since boot whether it rebooted. Owned by the session. */
public final class VehicleHearing {
    // Heartbeats come once a second: a vehicle that was not heard for so long is not spoken to.
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(3);
    // Datagrams may overtake each other: a smaller step back is no reboot.
    private static final long REBOOT_STEP_MS = 1000;
    // SYSTEM_TIME has 32 bits: the time since boot begins again after 49.7 days.
    private static final long BOOT_TIME_MASK = 0xFFFF_FFFFL;
    // A vehicle's clock is no better than this against ours, and messages are under way for a while.
    private static final long WRAP_TOLERANCE_MS = 10_000;

    private boolean everHeard;
    private long lastHeardNs;
    private long heardAgainNs;
    private long lastBootMs;
    private long bootToldNs;

    /** Any frame of the vehicle. */
    public void onHeard(long nowNs) {
        if (!isHeard(nowNs)) {
            heardAgainNs = nowNs;
        }
        everHeard = true;
        lastHeardNs = nowNs;
    }

    /** Whether it was heard of late. */
    public boolean isHeard(long nowNs) {
        return everHeard && nowNs - lastHeardNs < HEARD_NS;
    }

    /** Since when the vehicle has been heard without a break. */
    public long heardAgainNs() {
        return heardAgainNs;
    }

    /** Takes the vehicle's time since boot; returns whether it rebooted since the last one. */
    public boolean isReboot(long bootMs, long nowNs) {
        boolean rebooted = bootMs + REBOOT_STEP_MS < lastBootMs && !isWrap(bootMs, nowNs);
        lastBootMs = bootMs;
        bootToldNs = nowNs;
        return rebooted;
    }

    /** Whether the step back is only the number's end: then it is a step forward of as long as has passed. */
    private boolean isWrap(long bootMs, long nowNs) {
        long forwardMs = (bootMs - lastBootMs) & BOOT_TIME_MASK;
        return forwardMs <= TimeUnit.NANOSECONDS.toMillis(nowNs - bootToldNs) + WRAP_TOLERANCE_MS;
    }

    /** What was said of an earlier boot no longer counts. */
    public void forgetBootTime() {
        lastBootMs = 0;
    }
}
