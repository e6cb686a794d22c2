package org.mavlogd.store;

/**
 * Decides when a log goes on in its next file. Pure. Hot path.
 *
 * <p>A file is never longer than {@code maxBytes}, with two exceptions: its head, which stands in every file anew, takes at
 * most half of it, so that a large head does not make a file of each message; and a file without any data is not left.
 *
 * @param maxBytes longest file; 0 for no limit
 * @param maxAgeNs longest time from the begin of a file; 0 for no limit
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
