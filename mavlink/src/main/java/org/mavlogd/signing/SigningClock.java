package org.mavlogd.signing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochClock;

/**
 * The clock of signatures, in units of 10 microseconds since 2015-01-01: never behind the wall clock, nor behind an
 * accepted or sent frame. Shared by all threads; never waits.
 */
public final class SigningClock {
    /** Units per second. */
    public static final long UNITS_PER_SECOND = TimeUnit.SECONDS.toMicros(1) / 10;

    private static final long UNITS_PER_MS = UNITS_PER_SECOND / 1000;
    private static final long EPOCH_2015_MS = 1_420_070_400_000L;

    private final EpochClock wall;
    private final AtomicLong latest;

    /** @param floor the clock starts after this time */
    public SigningClock(EpochClock wall, long floor) {
        this.wall = wall;
        this.latest = new AtomicLong(floor);
    }

    long now() {
        return Math.max(latest.get(), wallTime());
    }

    /** A frame with this time was accepted. */
    void onAccepted(long stamp) {
        long before = latest.get();
        while (stamp > before && !latest.compareAndSet(before, stamp)) {
            before = latest.get();
        }
    }

    /** The time of the next sent frame, later than all before. */
    long next() {
        long before;
        long stamp;
        do {
            before = latest.get();
            stamp = Math.max(before + 1, wallTime());
        } while (!latest.compareAndSet(before, stamp));
        return stamp;
    }

    /** The wall clock; 0 on a computer without a clock that is in 1970. */
    private long wallTime() {
        return Math.max(0, wall.time() - EPOCH_2015_MS) * UNITS_PER_MS;
    }
}
