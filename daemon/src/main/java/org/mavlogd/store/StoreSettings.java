package org.mavlogd.store;

import java.util.concurrent.TimeUnit;

/**
 * Settings of writing, forcing and dividing files.
 *
 * @param batchBytes size of one write
 * @param durability how long data may take to the disk
 * @param rotation when a log continues in its next file
 */
public record StoreSettings(int batchBytes, Durability durability, RotationPolicy rotation) {
    public StoreSettings {
        if (batchBytes <= 0) {
            throw new IllegalArgumentException("batch of " + batchBytes + " bytes: must be positive");
        }
    }

    /** One file for each log. */
    public StoreSettings(int batchBytes, Durability durability) {
        this(batchBytes, durability, RotationPolicy.NEVER);
    }

    /**
     * Decides when a log continues in its next file. Pure. Hot path.
     *
     * <p>A file is never longer than {@code maxBytes}, with two exceptions: its head, which is in every file again,
     * takes at most half of it, so that a large head does not make a file of each message; and a file without any data
     * is not left.
     *
     * @param maxBytes longest file; 0 for no limit
     * @param maxAgeNs longest time from the start of a file; 0 for no limit
     */
    public record RotationPolicy(long maxBytes, long maxAgeNs) {
        /** One file for each log. */
        public static final RotationPolicy NEVER = new RotationPolicy(0, 0);

        public RotationPolicy {
            if (maxBytes < 0 || maxAgeNs < 0) {
                throw new IllegalArgumentException(
                        "at most " + maxBytes + " bytes, at most " + maxAgeNs + " ns: must not be negative");
            }
        }

        /**
         * Whether the next message belongs into a new file.
         *
         * @param headBytes of {@code fileBytes}, those with which the file began
         * @param nextBytes length of the next message
         * @param ageNs time since the file began
         */
        public boolean isDue(long fileBytes, long headBytes, int nextBytes, long ageNs) {
            long dataBytes = fileBytes - headBytes;
            boolean full = maxBytes > 0 && fileBytes + nextBytes > maxBytes && dataBytes >= headBytes;
            boolean old = maxAgeNs > 0 && ageNs >= maxAgeNs;
            return (full || old) && dataBytes > 0;
        }
    }

    /**
     * How much data a power cut may cost, and how that time is shared out on the way from the link to the disk.
     *
     * <pre>
     * received       read from the kernel   recorder looks   age reached: write, ask for a force    forced
     *    |-- at most gatherNs --|-- at most lookNs --|---------------|-- slackNs --|-- forceBudgetNs --|
     *    |&lt;-------------------- flushAgeNs --------------------------&gt;|
     *    |&lt;--------------------------------------- limitNs ------------------------------------------&gt;|
     * </pre>
     *
     * <p>The recorder looks as soon as something it knows of reaches that age, else as seldom as it may. Ages count from the arrival at the link, so that waiting for order or for a gap's measure is part of them. One cadence
     * for writes and forces: at 500 ms the disk is asked less than three times a second.
     *
     * @param limitNs age at which a received message is on disk
     */
    public record Durability(long limitNs) {
        /** Shortest limit: below it the disk would be asked more often than cards and disks answer. */
        public static final long MIN_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

        private static final int SLACK_SHARE = 10;
        private static final long MAX_SLACK_NS = TimeUnit.MILLISECONDS.toNanos(30);
        private static final int LOOK_SHARE = 5;
        private static final long MAX_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
        private static final int GATHER_SHARE = 4;
        private static final long MAX_GATHER_NS = TimeUnit.MILLISECONDS.toNanos(80);
        // What a force may take. Cards properly need some tens of milliseconds.
        private static final int FORCE_SHARE = 4;
        private static final long MAX_FORCE_BUDGET_NS = TimeUnit.MILLISECONDS.toNanos(125);
        // Data that was written outlives this program, not only that which was forced: no reason to keep it for long.
        private static final long MAX_WRITE_AGE_NS = TimeUnit.MILLISECONDS.toNanos(500);
        private static final long URGENT_DISTANCE_NS = TimeUnit.MILLISECONDS.toNanos(50);

        public Durability {
            if (limitNs < MIN_LIMIT_NS) {
                throw new IllegalArgumentException("limit of " + limitNs + " ns is below " + MIN_LIMIT_NS);
            }
        }

        public static Durability ofMs(long limitMs) {
            return new Durability(TimeUnit.MILLISECONDS.toNanos(limitMs));
        }

        /** How long data that nobody answers may wait in the kernel. */
        public long gatherNs() {
            return Math.min(limitNs / GATHER_SHARE, MAX_GATHER_NS);
        }

        /** How often the recorder looks into its feeds while files grow, at least: what is urgent waits for it. */
        public long lookNs() {
            return Math.min(limitNs / LOOK_SHARE, MAX_LOOK_NS);
        }

        /** The same while nothing waits to be written. */
        public long idleLookNs() {
            return flushAgeNs() - gatherNs();
        }

        /** By how much a thread may wake late. */
        private long slackNs() {
            return Math.min(limitNs / SLACK_SHARE, MAX_SLACK_NS);
        }

        /** What a force may take without breaking the promise. */
        public long forceBudgetNs() {
            return Math.min(limitNs / FORCE_SHARE, MAX_FORCE_BUDGET_NS);
        }

        /** Age of the oldest unforced byte at which everything is written and the force is asked for. */
        public long flushAgeNs() {
            return limitNs - forceBudgetNs() - slackNs();
        }

        /** Age of the oldest byte of a batch at which it is written. */
        public long writeAgeNs() {
            return Math.min(flushAgeNs(), MAX_WRITE_AGE_NS);
        }

        /** Time after a force in which nothing is urgent. */
        public long urgentDistanceNs() {
            return Math.min(flushAgeNs(), URGENT_DISTANCE_NS);
        }
    }
}
