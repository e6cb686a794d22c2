package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.RepairResult;
import org.mavlogd.ulog.ScanHandler.Flaw;
import org.mavlogd.ulog.ULogHandler;

/**
 * The damage of a log.
 *
 * @param spans number of places with bytes that are not messages
 * @param spanBytes number of bytes in these places
 * @param truncatedBytes number of bytes of truncated messages
 * @param orphanMessages number of data messages without a known topic
 * @param flawedMessages number of other messages that are not as specified
 * @param firstAt position of the first of these, except truncated messages, in the unpacked log, or {@link #NOWHERE}
 * @param firstCutAt position of the first truncated message, or {@link #NOWHERE}
 */
public record LogDamage(
        long spans,
        long spanBytes,
        long truncatedBytes,
        long orphanMessages,
        long flawedMessages,
        long firstAt,
        long firstCutAt) {
    /** Position of damage that does not exist or whose place is unknown. */
    public static final long NOWHERE = RepairResult.NOWHERE;

    public static final LogDamage NONE = new LogDamage(0, 0, 0, 0, 0, NOWHERE, NOWHERE);

    public static LogDamage of(RepairResult repair) {
        return new LogDamage(
                repair.damagedSpans(),
                repair.damagedBytes(),
                repair.cutBytes(),
                repair.orphanMessages(),
                repair.flawedMessages(),
                repair.firstDamageAt(),
                repair.firstCutAt());
    }

    public LogDamage plus(LogDamage other) {
        return new LogDamage(
                spans + other.spans,
                spanBytes + other.spanBytes,
                truncatedBytes + other.truncatedBytes,
                orphanMessages + other.orphanMessages,
                flawedMessages + other.flawedMessages,
                first(firstAt, other.firstAt),
                first(firstCutAt, other.firstCutAt));
    }

    private static long first(long one, long other) {
        return one < 0 || other < 0 ? Math.max(one, other) : Math.min(one, other);
    }

    /** Excludes a truncated last message, which every log has that was streamed or ended by a power cut. */
    public LogDamage withoutCut() {
        return new LogDamage(spans, spanBytes, 0, orphanMessages, flawedMessages, firstAt, NOWHERE);
    }

    /** Excludes the position, which is meaningless for the damage of several logs. */
    public LogDamage withoutPlace() {
        return new LogDamage(spans, spanBytes, truncatedBytes, orphanMessages, flawedMessages, NOWHERE, NOWHERE);
    }

    /** Position of the first damage, or {@link #NOWHERE}. */
    public long firstPosition() {
        return first(firstAt, firstCutAt);
    }

    public boolean isNone() {
        return spans == 0 && truncatedBytes == 0 && orphanMessages == 0 && flawedMessages == 0;
    }

    /** The damage in one line; "none" if there is none. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (spans > 0) {
            parts.add(Words.bytes(spanBytes) + " damaged in " + Words.count(spans, "place"));
        }
        if (truncatedBytes > 0) {
            parts.add(Words.bytes(truncatedBytes) + " of a message that was cut off");
        }
        if (orphanMessages > 0) {
            parts.add(Words.count(orphanMessages, "message") + " of no known topic");
        }
        if (flawedMessages > 0) {
            parts.add(Words.count(flawedMessages, "message") + " not as specified");
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts) + place();
    }

    private String place() {
        if (firstPosition() == NOWHERE) {
            return "";
        }
        boolean isOne = spans + orphanMessages + flawedMessages + Math.min(truncatedBytes, 1) == 1;
        return (isOne ? ", at byte " : ", the first at byte ") + Words.number(firstPosition());
    }

    /** Counts damage; readers of a log extend it for their own purpose. */
    public static class Tally implements ULogHandler {
        private long spans;
        private long spanBytes;
        private long truncatedBytes;
        private long orphanMessages;
        private long flawedMessages;
        private long firstAt = NOWHERE;
        private long firstCutAt = NOWHERE;

        @Override
        public final void onDamage(long position, long length) {
            spans++;
            spanBytes += length;
            firstAt = first(firstAt, position);
        }

        @Override
        public final void onCut(long position, long length) {
            truncatedBytes += length;
            firstCutAt = first(firstCutAt, position);
        }

        @Override
        public final void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length) {
            if (flaw == Flaw.NO_TOPIC) {
                orphanMessages++;
            } else {
                flawedMessages++;
            }
            firstAt = first(firstAt, position);
        }

        public final LogDamage damage() {
            return new LogDamage(spans, spanBytes, truncatedBytes, orphanMessages, flawedMessages, firstAt, firstCutAt);
        }
    }
}
