package org.mavlogd.vehicle.conversation;

import java.util.concurrent.TimeUnit;

/** Remembers when a vehicle was heard, and judges from its time since boot whether it rebooted. Owned by the session. */
public final class VehicleHearing {
    // Heartbeats come once a second: nothing is sent to a vehicle that is silent for longer.
    private static final long HEARD_NS = TimeUnit.SECONDS.toNanos(3);
    // A vehicle continues to stream during an outage of the link, and the times in the data show the gap.
    private static final long OUTAGE_NS = TimeUnit.SECONDS.toNanos(30);
    // Datagrams may overtake each other: a smaller step back is not a reboot.
    private static final long REBOOT_STEP_MS = 1000;
    // SYSTEM_TIME has 32 bits: the time since boot wraps after 49.7 days.
    private static final long BOOT_TIME_MASK = 0xFFFF_FFFFL;
    // Tolerance for the difference of the two clocks and for the messages' delay.
    private static final long WRAP_TOLERANCE_MS = 10_000;

    private boolean everHeard;
    private long lastHeardNs;
    private long heardAgainNs;
    private long lastBootMs;
    private long bootToldNs;

    /** How long a PX4's log outlasts the vehicle's silence, for that {@link LogConversation.Settings#silenceNs}. */
    public static long longestOutageNs(long silenceNs) {
        return Math.max(OUTAGE_NS, silenceNs);
    }

    /** Notes that a frame of the vehicle came. */
    public void onHeard(long nowNs) {
        if (!isHeard(nowNs)) {
            heardAgainNs = nowNs;
        }
        everHeard = true;
        lastHeardNs = nowNs;
    }

    /** Whether a frame came within the last 3 s. */
    public boolean isHeard(long nowNs) {
        return everHeard && nowNs - lastHeardNs < HEARD_NS;
    }

    /** The time since which the vehicle has been heard without a break. */
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

    /** Whether the step back is only a wrap: the step forward modulo 2^32 ms then equals the time that passed. */
    private boolean isWrap(long bootMs, long nowNs) {
        long forwardMs = (bootMs - lastBootMs) & BOOT_TIME_MASK;
        return forwardMs <= TimeUnit.NANOSECONDS.toMillis(nowNs - bootToldNs) + WRAP_TOLERANCE_MS;
    }

    /** Forgets the boot time of an earlier boot. */
    public void forgetBootTime() {
        lastBootMs = 0;
    }
}
