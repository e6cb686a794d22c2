package org.mavlogd.record.figures;

import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.feed.BlockView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how much of a log was lost in the last {@link #WINDOW_S} seconds, and reports a large loss once, with its
 * cause and a fix. A gap is noticed when data arrives again: the period that it reports then includes all of the gap.
 * Owned by the recorder's thread.
 */
public final class RateAdvice {
    static final int WINDOW_S = 10;

    /** From this loss on there is a problem, until the loss is below {@link #END_PERCENT}. */
    static final int PROBLEM_PERCENT = 5;

    static final int END_PERCENT = 2;

    private static final Logger LOG = LoggerFactory.getLogger(RateAdvice.class);
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    // A share of fewer chunks says little.
    private static final long FEW = 50;
    private static final int PERCENT = 100;

    /** Where data was lost. */
    enum Cause {
        LINK,
        VEHICLE,
        RING
    }

    /** Advice for losses in the vehicle itself. */
    public enum Autopilot {
        PX4("log fewer topics (SDLOG_PROFILE)", "raise MAV_x_RATE of this port"),
        ARDUPILOT("log less (LOG_BITMASK)", "raise LOG_MAV_BUFSIZE");

        private final String less;
        private final String faster;

        Autopilot(String less, String faster) {
            this.less = less;
            this.faster = faster;
        }
    }

    /** Counts since the start of the log. */
    public record Counts(long came, long link, long vehicle, long ring) {
        static final Counts NONE = new Counts(0, 0, 0, 0);

        public static Counts of(RecordingStatus.Figures figures) {
            return new Counts(
                    figures.chunks(), figures.linkLostChunks(), figures.vehicleLostChunks(), figures.ringLostChunks());
        }

        private Counts since(Counts before) {
            return new Counts(came - before.came, link - before.link, vehicle - before.vehicle, ring - before.ring);
        }

        private long lost() {
            return link + vehicle + ring;
        }

        private boolean isLost(int percent) {
            return lost() >= FEW && lost() * PERCENT >= percent * (came + lost());
        }

        private Cause cause() {
            if (ring >= link && ring >= vehicle) {
                return Cause.RING;
            }
            return vehicle >= link ? Cause.VEHICLE : Cause.LINK;
        }
    }

    private final String name;
    private final Autopilot autopilot;
    private final OptionalInt baud;
    private final ContainedPart part;
    private final Counts[] seconds = new Counts[WINDOW_S];
    // When the data that came last before each of these counts had come.
    private final long[] arrivalsNs = new long[WINDOW_S];
    private int second;
    private long dueNs;
    private boolean started;
    private String problem = "";

    /**
     * Starts without losses.
     *
     * @param name of the vehicle, for messages
     * @param baud of the link, if it is serial
     * @param part contains errors: advice must not harm a recording
     */
    public RateAdvice(String name, Autopilot autopilot, OptionalInt baud, ContainedPart part) {
        this.part = part;
        this.name = name;
        this.autopilot = autopilot;
        this.baud = baud;
        Arrays.fill(seconds, Counts.NONE);
    }

    /** The share that is lost, the cause, and what to do; empty while little is lost. */
    public String problem() {
        return problem;
    }

    /** Whether the next {@link #look} is due: once a second. Hot path. */
    public boolean isDue(long nowNs) {
        return !started || nowNs - dueNs >= 0;
    }

    /**
     * Judges the losses of the last seconds.
     *
     * @param bytes of log data per counted unit, to compute the rate
     */
    public void look(Counts now, double bytes, long nowNs) {
        if (!started) {
            started = true;
            Arrays.fill(arrivalsNs, nowNs - SECOND_NS); // before what this first look counts
        }
        dueNs = nowNs + SECOND_NS;
        part.run(() -> judge(now, bytes, nowNs));
    }

    /**
     * Judges the losses of a log of blocks, in messages, because the vehicle counts the messages that it drops.
     *
     * @param records received in {@code blocks} blocks
     * @param lost blocks
     * @param dropped messages
     */
    public void lookAtBlocks(long records, long blocks, long lost, long dropped, long nowNs) {
        double perBlock = (double) records / Math.max(1, blocks);
        Counts counts = new Counts(records, Math.round(lost * perBlock), dropped, 0);
        look(counts, BlockView.DATA_LENGTH / Math.max(perBlock, Double.MIN_NORMAL), nowNs);
    }

    private void judge(Counts now, double bytes, long nowNs) {
        int last = (second + WINDOW_S - 1) % WINDOW_S;
        long arrivalNs = now.came() > seconds[last].came() ? nowNs : arrivalsNs[last];
        Counts recent = now.since(seconds[second]);
        long periodS = Math.max(1, Math.round((double) (nowNs - arrivalsNs[second]) / SECOND_NS));
        seconds[second] = now;
        arrivalsNs[second] = arrivalNs;
        second = (second + 1) % WINDOW_S;
        boolean wasProblem = !problem.isEmpty();
        boolean isProblem = recent.isLost(wasProblem ? END_PERCENT : PROBLEM_PERCENT);
        // The status shows the current figures; the log message has those of the start of the problem.
        problem = isProblem ? describe(recent, bytes, periodS) : "";
        if (isProblem && !wasProblem) {
            LOG.warn("{}: {}", name, problem);
        } else if (wasProblem && !isProblem) {
            LOG.info("{}: less than {} % of the log is lost now", name, END_PERCENT);
        }
    }

    private String describe(Counts recent, double bytes, long periodS) {
        long percent = recent.lost() * PERCENT / (recent.came() + recent.lost());
        double bytesPerSecond = bytes * recent.came() / periodS;
        return percent + " % of the log was lost in " + periodS + " s, most of it "
                + switch (recent.cause()) {
                    case LINK -> "on the link: " + linkAdvice();
                    case VEHICLE -> "by the vehicle itself, which drops log data: " + vehicleAdvice(bytesPerSecond);
                    case RING -> "by this computer, which is too slow or too busy";
                };
    }

    private String linkAdvice() {
        return baud.isPresent()
                ? "check the cable, the baud rate of both ends and flow control"
                : "check the radio or network; behind mavlink-router see docs/operation.md";
    }

    /** With 8N1 a byte takes ten bits. */
    private String vehicleAdvice(double bytesPerSecond) {
        String rate = String.format(Locale.ROOT, "%.0f KB/s arrive", bytesPerSecond / 1000);
        if (baud.isEmpty()) {
            return rate + "; " + autopilot.less + ", or " + autopilot.faster;
        }
        int capacity = baud.getAsInt() / 10;
        rate += String.format(Locale.ROOT, " of %.0f KB/s that %d baud carry", capacity / 1000.0, baud.getAsInt());
        if (bytesPerSecond * 4 >= capacity * 3L) {
            return rate + "; " + autopilot.less + ", or raise the baud rate of both ends";
        }
        String limit = autopilot == Autopilot.PX4 ? " to " + capacity + " if it is lower" : "";
        return rate + "; " + autopilot.faster + limit + ", or " + autopilot.less;
    }
}
