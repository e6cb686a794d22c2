package org.mavlogd.record.head;

import java.util.concurrent.TimeUnit;
import org.mavlogd.store.LogName;

/**
 * Determines the UTC start of a recording as soon as a clock can be trusted: this computer's, when it was set, or the
 * vehicle's, which comes from its satellite receiver. Pure; time is an argument. Owned by the recorder's thread.
 *
 * <p>Small computers have no clock of their own. Until somebody sets it, theirs begins at 1970, or continues where it was
 * when they were turned off last; so it is behind, never ahead. Therefore the first believable time counts, but a vehicle
 * that is well ahead of this computer is right, and so is this computer when its clock is stepped. Slow drift changes
 * nothing.
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

    /** This computer's clock; returns whether the start became known, or known better. */
    public boolean onSystemTime(long epochMs, long nowNs) {
        long offset = TimeUnit.MILLISECONDS.toMicros(epochMs) - TimeUnit.NANOSECONDS.toMicros(nowNs);
        boolean stepped = systemSeen && Math.abs(offset - systemOffsetUs) >= STEP_US;
        systemSeen = true;
        systemOffsetUs = offset;
        boolean better = source == Source.NONE || (source == Source.SYSTEM && stepped);
        return better && LogName.isBelievable(epochMs) && take(Source.SYSTEM, offset);
    }

    /** The vehicle's clock; returns whether the start became known, or known better. */
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

    /** When the recording began, in microseconds since 1970; only when {@link #isKnown known}. */
    public long startUtcUs() {
        return offsetUs + startedUs;
    }

    /** A monotonic time in milliseconds since 1970; only when {@link #isKnown known}. */
    public long epochMs(long timeNs) {
        return TimeUnit.MICROSECONDS.toMillis(offsetUs + TimeUnit.NANOSECONDS.toMicros(timeNs));
    }

    /** The source of the time, in words. */
    public String sourceText() {
        return switch (source) {
            case NONE -> "nobody";
            case SYSTEM -> "this computer's clock";
            case VEHICLE -> "the vehicle's clock";
        };
    }
}
