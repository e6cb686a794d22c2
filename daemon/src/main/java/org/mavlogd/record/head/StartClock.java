package org.mavlogd.record.head;

import java.util.concurrent.TimeUnit;
import org.mavlogd.store.LogName;

/**
 * Determines the UTC start of a recording as soon as a clock can be trusted: this computer's once it is set, or the
 * vehicle's, which comes from a satellite receiver. Pure; time is an argument. Owned by the recorder's thread.
 *
 * <p>Small computers have no battery-backed clock. Until it is set, their clock starts at 1970, or where it was when
 * they were last turned off; so it is behind, never ahead. Therefore the first believable time is used, until the
 * vehicle's time is well ahead of this computer's, or this computer's clock is stepped. Slow drift changes nothing.
 */
public final class StartClock {
    private static final long STEP_US = TimeUnit.SECONDS.toMicros(1);
    private static final long STALE_US = TimeUnit.MINUTES.toMicros(1);

    private enum Source {
        NONE,
        SYSTEM,
        VEHICLE
    }

    private final long startedUs;
    private Source source = Source.NONE;
    // UTC minus monotonic time.
    private long offsetUs;
    private boolean systemSeen;
    private long systemOffsetUs;

    public StartClock(long startedNs) {
        this.startedUs = TimeUnit.NANOSECONDS.toMicros(startedNs);
    }

    /** Takes the time of this computer's clock; returns whether the start became known, or known better. */
    public boolean onSystemTime(long epochMs, long nowNs) {
        long offset = TimeUnit.MILLISECONDS.toMicros(epochMs) - TimeUnit.NANOSECONDS.toMicros(nowNs);
        boolean stepped = systemSeen && Math.abs(offset - systemOffsetUs) >= STEP_US;
        systemSeen = true;
        systemOffsetUs = offset;
        boolean better = source == Source.NONE || (source == Source.SYSTEM && stepped);
        return better && LogName.isBelievable(epochMs) && take(Source.SYSTEM, offset);
    }

    /** Takes the time of the vehicle's clock; returns whether the start became known, or known better. */
    public boolean onVehicleTime(long utcUs, long nowNs) {
        if (!LogName.isBelievable(TimeUnit.MICROSECONDS.toMillis(utcUs))) {
            return false;
        }
        long offset = utcUs - TimeUnit.NANOSECONDS.toMicros(nowNs);
        boolean better = source == Source.NONE || (source == Source.SYSTEM && offset - offsetUs >= STALE_US);
        return better && take(Source.VEHICLE, offset);
    }

    private boolean take(Source from, long offset) {
        source = from;
        offsetUs = offset;
        return true;
    }

    public boolean isKnown() {
        return source != Source.NONE;
    }

    /** The start of the recording in microseconds since 1970; only if {@link #isKnown known}. */
    public long startUtcUs() {
        return offsetUs + startedUs;
    }

    /** Converts a monotonic time to milliseconds since 1970; only if {@link #isKnown known}. */
    public long epochMs(long timeNs) {
        return TimeUnit.MICROSECONDS.toMillis(offsetUs + TimeUnit.NANOSECONDS.toMicros(timeNs));
    }

    /** The source of the time, for messages. */
    public String sourceText() {
        return switch (source) {
            case NONE -> "nobody";
            case SYSTEM -> "this computer's clock";
            case VEHICLE -> "the vehicle's clock";
        };
    }
}
