package org.mavlogd.ulog;

/**
 * The result of a repair.
 *
 * @param messages written to the new log
 * @param orphanMessages data messages that no topic explains, kept or not
 * @param flawedMessages messages that are not as specified, left out
 * @param damagedSpans places with bytes that are no messages
 * @param damagedBytes in them
 * @param cutBytes of messages begun but not ended
 * @param firstDamageAt position in the damaged log of the first orphan, flawed message or damaged span, or {@link #NOWHERE}
 * @param firstCutAt position of the first message that is cut, or {@link #NOWHERE}
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
    /** The position of what is not in the log. */
    public static final long NOWHERE = -1;

    /** Whether the log was intact: everything in it was sound. */
    public boolean isWhole() {
        return orphanMessages == 0 && flawedMessages == 0 && damagedSpans == 0 && cutBytes == 0;
    }
}
