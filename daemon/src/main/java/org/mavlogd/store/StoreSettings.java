package org.mavlogd.store;

import java.util.concurrent.TimeUnit;

/**
 * Settings for writing, forcing and dividing files.
 *
 * @param batchBytes the most bytes of one write
 * @param durability how soon data must be on disk
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
     * <p>A file is never longer than {@code maxBytes}, with two exceptions: it contains at least as much data as head,
     * because every file repeats the head, and a large one must not cause a file for each message; and a file without
     * any data is not left.
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
         * Whether the next message belongs in a new file.
         *
         * @param headBytes the part of {@code fileBytes} with which the file began
         * @param nextBytes length of the next message
         * @param ageNs time since the file began
         */
        public boolean isDue(long fileBytes, long headBytes, int nextBytes, long ageNs) {
            long dataBytes = fileBytes - headBytes;
            boolean full = isFull(fileBytes + nextBytes) && dataBytes >= headBytes;
            return (full || isOld(ageNs)) && dataBytes > 0;
        }

        /** Whether a file of this length and age has reached a limit. If not, no message before that is due. */
        public boolean isReached(long fileBytes, long ageNs) {
            return isFull(fileBytes) || isOld(ageNs);
        }

        private boolean isFull(long fileBytes) {
            return maxBytes > 0 && fileBytes > maxBytes;
        }

        private boolean isOld(long ageNs) {
            return maxAgeNs > 0 && ageNs >= maxAgeNs;
        }
    }

    /**
     * How much data a power cut may cost, as a time, and how this time is divided among the steps from the link to the
     * disk.
     *
     * <pre>
     * received       read from the kernel   recorder looks   age reached: write, ask for a force    forced
     *    |-- at most gatherNs --|-- at most lookNs --|---------------|-- slackNs --|-- forceBudgetNs --|
     *    |&lt;-------------------- flushAgeNs --------------------------&gt;|
     *    |&lt;--------------------------------------- limitNs ------------------------------------------&gt;|
     * </pre>
     *
     * <p>The recorder looks as soon as data that it knows reaches that age, else as rarely as allowed: gathering and
     * looking each take nearly half of that age, so that link and recorder wake up twice for each write. Ages count from
     * the earliest possible arrival at the link, so they include waiting for order or until a gap is measured. Writes and
     * forces have the same interval: at 500 ms there are about three a second.
     *
     * @param limitNs age at which received data is on disk
     */
    public record Durability(long limitNs) {
        /** Shortest limit: cards and disks cannot answer more often. */
        public static final long MIN_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(50);

        private static final int SLACK_SHARE = 10;
        private static final long MAX_SLACK_NS = TimeUnit.MILLISECONDS.toNanos(30);
        // Two of them, and what timers are late, are less than the age at which everything is written.
        private static final double WAIT_SHARE = 0.48;
        private static final long MAX_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(165);
        // Time for a force. Cards that work properly need some tens of milliseconds.
        private static final int FORCE_SHARE = 4;
        private static final long MAX_FORCE_BUDGET_NS = TimeUnit.MILLISECONDS.toNanos(125);
        // Written data outlasts a crash of this program, even if it is not forced, so it is not kept back for long.
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

        /** How long log data that needs no answer may wait in the kernel. */
        public long gatherNs() {
            return Math.min((long) (WAIT_SHARE * flushAgeNs()), MAX_WAIT_NS);
        }

        /**
         * How often the recorder looks into its feeds at least while files are being written, because urgent data may
         * wait there.
         */
        public long lookNs() {
            return gatherNs();
        }

        /** The same while no data waits to be written. */
        public long idleLookNs() {
            return Math.min(flushAgeNs(), MAX_WRITE_AGE_NS) - gatherNs();
        }

        /** The same while no file is being written: the first data of a log does not wait in the kernel. */
        public long longestLookNs() {
            return Math.min(flushAgeNs(), MAX_WRITE_AGE_NS) - slackNs();
        }

        /** How late a thread may wake up. */
        private long slackNs() {
            return Math.min(limitNs / SLACK_SHARE, MAX_SLACK_NS);
        }

        /** How long a force may take within the limit. */
        public long forceBudgetNs() {
            return Math.min(limitNs / FORCE_SHARE, MAX_FORCE_BUDGET_NS);
        }

        /** Age of the oldest unforced byte at which everything is written and the force is requested. */
        public long flushAgeNs() {
            return limitNs - forceBudgetNs() - slackNs();
        }

        /** The same while other files are being written and forced. */
        long joinAgeNs() {
            return flushAgeNs() / 4 * 3;
        }

        /** Age of the oldest byte of a batch at which it is written. */
        public long writeAgeNs() {
            return Math.min(flushAgeNs(), MAX_WRITE_AGE_NS);
        }

        /** Minimum time between forces of a file while the recorder lags. */
        long lagDistanceNs() {
            return flushAgeNs() / 2;
        }

        /** Minimum time between forces for urgent data. */
        public long urgentDistanceNs() {
            return Math.min(flushAgeNs(), URGENT_DISTANCE_NS);
        }
    }
}
