package org.mavlogd.local;

/**
 * How many texts one source may publish under one tag.
 *
 * @param maxPerS in the long run, at least 1
 * @param burst at once after a quiet time, at least 1
 */
public record TextLimits(int maxPerS, int burst) {
    public TextLimits {
        if (maxPerS < 1 || burst < 1) {
            throw new IllegalArgumentException("limits of texts: " + maxPerS + " a second, " + burst + " at once");
        }
    }
}
