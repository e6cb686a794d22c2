package org.mavlogd.ulog;

/**
 * The result of a repair.
 *
 * @param messages number of messages written to the new log
 * @param orphanMessages number of data messages without a topic, kept or not
 * @param flawedMessages number of messages that are not as specified and were left out
 * @param damagedSpans number of places with bytes that are not messages
 * @param damagedBytes number of bytes in these places
 * @param cutBytes number of bytes of truncated messages
 * @param firstDamageAt position in the damaged log of the first orphan, flawed message or damaged span, or {@link
 *     #NOWHERE}
 * @param firstCutAt position of the first truncated message, or {@link #NOWHERE}
 */
public record RepairResult(
        long messages,
        long orphanMessages,
        long flawedMessages,
        long damagedSpans,
        long damagedBytes,
        long cutBytes,
        long firstDamageAt,
        long firstCutAt) {
    /** Position of damage that the log does not have. */
    public static final long NOWHERE = -1;

    /** Whether the log was intact. */
    public boolean isWhole() {
        return orphanMessages == 0 && flawedMessages == 0 && damagedSpans == 0 && cutBytes == 0;
    }
}
