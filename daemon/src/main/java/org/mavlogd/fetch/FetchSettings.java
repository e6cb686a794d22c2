package org.mavlogd.fetch;

/**
 * Whether a vehicle's own newest log is fetched after each flight.
 *
 * @param delayNs from disarm until fetching begins
 * @param maxTotalBytes of all fetched logs together; 0 for no limit
 */
public record FetchSettings(boolean afterDisarm, long delayNs, long maxTotalBytes) {}
