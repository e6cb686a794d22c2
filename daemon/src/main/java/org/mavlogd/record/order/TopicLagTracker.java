package org.mavlogd.record.order;

/**
 * Learns how far each topic's timestamps usually are behind the log time, which is the youngest timestamp so far.
 *
 * <p>A logger writes a sample some time after it was measured: most within its next cycle, some, like averages or slow
 * sensors, always tens of milliseconds later. Lags and their mean deviation are smoothed over about eight messages.
 * Owned by the recorder's thread. Hot path: allocates nothing after construction.
 */
public final class TopicLagTracker {
    /** The topic of a message that has none. */
    static final int NO_TOPIC = -1;

    // PX4 subscribes some hundred topics, numbered from 0; higher ids are not tracked.
    private static final int TOPICS = 1024;
    private static final int MIN_MESSAGES = 4;
    private static final int SMOOTHING_SHIFT = 3;
    // With 4 to 8 ms the errors on real logs are smallest: a lower limit leaves too few topics, a higher one allows
    // misleading ones.
    private static final int MAX_DEVIATION_US = 6_000;
    private static final long MAX_LAG_US = Integer.MAX_VALUE;

    private final int[] lagsUs = new int[TOPICS];
    private final int[] deviationsUs = new int[TOPICS];
    private final byte[] messages = new byte[TOPICS];

    /** Notes the lag of a message of this topic. */
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

    /** Whether the lag of this topic is steady enough to derive the log time from it. */
    boolean isReliable(int topic) {
        return topic >= 0
                && topic < TOPICS
                && messages[topic] == MIN_MESSAGES
                && deviationsUs[topic] <= MAX_DEVIATION_US;
    }

    /** The lag of this {@link #isReliable reliable} topic. */
    long lagUs(int topic) {
        return lagsUs[topic];
    }
}
