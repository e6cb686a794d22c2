package org.mavlogd.foxglove;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * The pace of a recorded log: that of the flight, or a multiple of it. If times jump, which only gaps and damage cause,
 * playing continues after the jump. Owned by the reading thread.
 */
final class FlightPace implements Pace {
    static final long LONGEST_GAP_US = 10_000_000;

    /** No vehicle's clock gets this far. */
    static final long LATEST_US = 1L << 53;

    private static final double NS_PER_US = 1000;
    /**
     * Time by which samples may be early, on the viewer's clock. Waiting for each sample would wake the thread a
     * thousand times a second.
     */
    private static final double AHEAD_US = 20_000;

    private static final long TICK_NS = 50_000_000;

    private final double speed;
    private final long aheadUs;
    private final LongSupplier nowNs;
    private final Tick tick;
    private long anchorUs;
    private long anchorNs;
    private long reachedUs = -2 * LONGEST_GAP_US;
    private long tickedNs;
    private long tickedUs;

    /** Called while time passes. */
    @FunctionalInterface
    interface Tick {
        /**
         * Sends what is due.
         *
         * @param positionUs time of the log
         * @param waitNs time to wait before returning
         */
        void onTick(long positionUs, long waitNs) throws IOException;
    }

    FlightPace(double speed, LongSupplier nowNs, Tick tick) {
        this.speed = speed;
        this.aheadUs = (long) (AHEAD_US * speed);
        this.nowNs = nowNs;
        this.tick = tick;
        this.tickedNs = nowNs.getAsLong();
    }

    /** Hot path. */
    @Override
    public void await(long timestampUs) throws IOException {
        boolean isReached = timestampUs <= reachedUs && timestampUs >= reachedUs - LONGEST_GAP_US;
        if (timestampUs > 0 && timestampUs <= LATEST_US && !isReached) {
            advance(timestampUs);
        }
    }

    private void advance(long timestampUs) throws IOException {
        if (timestampUs < reachedUs - LONGEST_GAP_US || timestampUs - LONGEST_GAP_US > reachedUs) {
            anchorUs = timestampUs;
            tickedUs = timestampUs;
            anchorNs = nowNs.getAsLong();
        }
        long position = position();
        while (timestampUs > position + aheadUs) {
            double needNs = (timestampUs - position) * NS_PER_US / speed;
            tick(position, Math.min(TICK_NS, (long) needNs));
            position = position();
        }
        if (nowNs.getAsLong() - tickedNs > TICK_NS) {
            tick(timestampUs, 0);
        }
        reachedUs = Math.min(position, timestampUs) + aheadUs;
    }

    private long position() {
        return anchorUs + (long) ((nowNs.getAsLong() - anchorNs) / NS_PER_US * speed);
    }

    private void tick(long positionUs, long waitNs) throws IOException {
        // Samples are slightly out of order, but a clock does not run back.
        tickedUs = Math.max(tickedUs, positionUs);
        tick.onTick(tickedUs, waitNs);
        tickedNs = nowNs.getAsLong();
    }
}
