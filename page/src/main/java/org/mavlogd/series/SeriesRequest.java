package org.mavlogd.series;

/**
 * The request for a plot: field, range and number of columns.
 *
 * @param field {@code TOPIC.FIELD} or {@code TOPIC.INSTANCE.FIELD}
 * @param fromUs on the vehicle's clock
 * @param points maximum number of columns
 */
public record SeriesRequest(String field, long fromUs, long toUs, int points) {
    public static final int DEFAULT_POINTS = 1500;
    public static final int MAX_POINTS = 10_000;

    public SeriesRequest {
        if (points < 1 || points > MAX_POINTS) {
            throw new IllegalArgumentException("points is " + points + ", and must be 1 to " + MAX_POINTS);
        }
    }
}
