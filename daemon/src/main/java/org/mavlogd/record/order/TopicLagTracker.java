package org.mavlogd.record.order;

/**
 * Learns how far each topic's timestamps usually lie behind the log time, which is the youngest timestamp so far.
 *
 * <p>A logger writes a topic some time after it was measured: most within its next round, some, like averages or slow
 * sensors, always tens of milliseconds later. Lags and their mean deviation are smoothed over about eight messages. Owned
 * by the recorder's thread. Hot path: allocates nothing after construction.
 */
public final class TopicLagTracker {
    /** Stands for a message of no topic. */
    static final int NO_TOPIC = -1;

    // PX4 subscribes some hundred topics and numbers them from 0; what is above is not learned.
    private static final int TOPICS = 1024;
    private static final int MIN_MESSAGES = 4;
    private static final int SMOOTHING_SHIFT = 3;
    // With 4 to 8 ms the errors on real logs are smallest: less and too few topics are left, more and they mislead.
    private static final int MAX_DEVIATION_US = 6_000;
    private static final long MAX_LAG_US = Integer.MAX_VALUE;

    private final int[] lagsUs = new int[TOPICS];
    private final int[] deviationsUs = new int[TOPICS];
    private final byte[] messages = new byte[TOPICS];

    /** A message of this topic lay so far behind. */
    public void learn(int topic, long lagUs) {
        if (topic < 0 || topic >= TOPICS || lagUs < 0 || lagUs > MAX_LAG_US) {
            return;
        }
        if (messages[topic] == 0) {
            lagsUs[topic] = (int) lagUs;
            deviationsUs[topic] = (int) lagUs;
        } else {
            long differenceUs = lagUs - lagsUs[topic];
            deviationsUs[topic] += (int) ((Math.abs(differenceUs) - deviationsUs[topic]) >> SMOOTHING_SHIFT);
            lagsUs[topic] += (int) (differenceUs >> SMOOTHING_SHIFT);
        }
        if (messages[topic] < MIN_MESSAGES) {
            messages[topic]++;
        }
    }

    /** Whether a message of this topic tells the log time well. */
    boolean isReliable(int topic) {
        return topic >= 0
                && topic < TOPICS
                && messages[topic] == MIN_MESSAGES
                && deviationsUs[topic] <= MAX_DEVIATION_US;
    }

    /** How far a message of this {@link #isReliable reliable} topic lies behind. */
    long lagUs(int topic) {
        return lagsUs[topic];
    }
}
