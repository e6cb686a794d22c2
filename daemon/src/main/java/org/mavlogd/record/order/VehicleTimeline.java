package org.mavlogd.record.order;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mavlogd.time.ClockFit;

/**
 * Maps this computer's monotonic nanoseconds to a vehicle's microseconds since boot. Owned by the recorder's thread; pure
 * arithmetic, allocates nothing.
 *
 * <p>It uses a {@link #fit} of the two clocks if there is one. Without one, or if the last one is old or contradicts
 * the log, it uses the log's stream: a chunk cannot arrive before its youngest timestamp, so of the chunks of the last
 * seconds the one with the smallest delay is closest. The remaining error is that smallest delay: on a quiet link some
 * milliseconds, by which local samples get too early a time.
 */
public final class VehicleTimeline implements LongUnaryOperator {
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_FIT_AGE_NS = TimeUnit.SECONDS.toNanos(60);
    // The youngest time of the stream is behind the vehicle's clock, by the delay of a slow link, and never ahead of
    // it.
    private static final long MAX_BEHIND_US = TimeUnit.SECONDS.toMicros(10);
    private static final long MAX_AHEAD_US = TimeUnit.SECONDS.toMicros(1);
    // Crystals differ by 0.01 %. A larger difference is a simulation that runs fast or slow, where there is no smallest
    // delay.
    private static final double REAL_TIME_TOLERANCE = 0.02;
    private static final double US_PER_S = 1e6;
    private static final double NS_PER_S = 1e9;
    private static final long NS_PER_US = 1000;
    private static final long LONGEST_US = TimeUnit.DAYS.toMicros(36_500);

    private boolean seeded;
    private boolean streams;
    private long lastArrivalNs;
    private long lastUs;
    private double usPerSecond = US_PER_S;
    // Vehicle's minus local time in ns: the largest of this window and of the one before.
    private long windowBeginNs;
    private long offsetNs;
    private long earlierOffsetNs;

    private @Nullable ClockFit fit;

    /** Sets a rough relation until the stream gives a better one: the start time of the log, and its arrival. */
    public void seed(long arrivalNs, long vehicleUs) {
        if (!streams && isPossible(vehicleUs)) {
            seeded = true;
            lastArrivalNs = arrivalNs;
            lastUs = vehicleUs;
        }
    }

    /**
     * Notes that the log's youngest time rose.
     *
     * @param arrivalNs arrival of the chunk with that time
     * @param pace of the log's time, in microseconds per second
     */
    public void onStream(long arrivalNs, long youngestUs, double pace) {
        if (!isPossible(youngestUs)) {
            return;
        }
        long offset = youngestUs * NS_PER_US - arrivalNs;
        if (!streams) {
            windowBeginNs = arrivalNs;
            offsetNs = offset;
            earlierOffsetNs = offset;
        } else if (arrivalNs - windowBeginNs >= WINDOW_NS) {
            windowBeginNs = arrivalNs;
            earlierOffsetNs = offsetNs;
            offsetNs = offset;
        } else {
            offsetNs = Math.max(offsetNs, offset);
        }
        streams = true;
        lastArrivalNs = arrivalNs;
        lastUs = youngestUs;
        usPerSecond = pace;
    }

    /** Takes a fit of the two clocks. */
    public void fit(ClockFit next) {
        fit = next;
    }

    /** Whether the relation is known at all. */
    boolean isKnown() {
        return fit != null || streams || seeded;
    }

    @Override
    public long applyAsLong(long timeNs) {
        return Math.max(0, toUs(timeNs));
    }

    private long toUs(long timeNs) {
        ClockFit current = fit;
        if (current != null && timeNs - current.atNs() <= MAX_FIT_AGE_NS && isBelievable(current)) {
            return current.vehicleUsAt(timeNs);
        }
        if (!streams || Math.abs(usPerSecond / US_PER_S - 1) > REAL_TIME_TOLERANCE) {
            return lastUs + (long) ((timeNs - lastArrivalNs) * usPerSecond / NS_PER_S);
        }
        return Math.floorDiv(timeNs + Math.max(offsetNs, earlierOffsetNs), NS_PER_US);
    }

    private boolean isBelievable(ClockFit current) {
        long behindUs = current.vehicleUsAt(lastArrivalNs) - lastUs;
        return !isAnchored() || (behindUs >= -MAX_AHEAD_US && behindUs <= MAX_BEHIND_US);
    }

    /** Whether the log itself gave a time; a fit from before a reboot contradicts it. */
    private boolean isAnchored() {
        return streams || seeded;
    }

    private static boolean isPossible(long timeUs) {
        return timeUs >= 0 && timeUs <= LONGEST_US;
    }
}
