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
 * @param spans places with bytes that are no messages
 * @param spanBytes in them
 * @param truncatedBytes of messages begun but not ended
 * @param orphanMessages data messages of no known topic
 * @param flawedMessages other messages that are not as the specification demands
 */
public record LogDamage(long spans, long spanBytes, long truncatedBytes, long orphanMessages, long flawedMessages) {
    public static LogDamage of(RepairResult repair) {
        return new LogDamage(
                repair.damagedSpans(),
                repair.damagedBytes(),
                repair.cutBytes(),
                repair.orphanMessages(),
                repair.flawedMessages());
    }

    public LogDamage plus(LogDamage other) {
        return new LogDamage(
                spans + other.spans,
                spanBytes + other.spanBytes,
                truncatedBytes + other.truncatedBytes,
                orphanMessages + other.orphanMessages,
                flawedMessages + other.flawedMessages);
    }

    /** Without the message that the end of the log cuts off: so ends every log that was streamed, or that a loss of power ended. */
    public LogDamage withoutCut() {
        return new LogDamage(spans, spanBytes, 0, orphanMessages, flawedMessages);
    }

    public boolean isNone() {
        return spans == 0 && truncatedBytes == 0 && orphanMessages == 0 && flawedMessages == 0;
    }

    /** In words, one line; "none" if there is none. */
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
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    /** Counts what is not as it should be; whoever reads a log for something else as well extends it. */
    public static class Tally implements ULogHandler {
        private long spans;
        private long spanBytes;
        private long truncatedBytes;
        private long orphanMessages;
        private long flawedMessages;

        @Override
        public final void onDamage(long position, long length) {
            spans++;
            spanBytes += length;
        }

        @Override
        public final void onCut(long position, long length) {
            truncatedBytes += length;
        }

        @Override
        public final void onFlawed(Flaw flaw, int type, byte[] buffer, int offset, int length) {
            if (flaw == Flaw.NO_TOPIC) {
                orphanMessages++;
            } else {
                flawedMessages++;
            }
        }

        public final LogDamage damage() {
            return new LogDamage(spans, spanBytes, truncatedBytes, orphanMessages, flawedMessages);
        }
    }
}
