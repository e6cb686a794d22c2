package org.mavlogd.cli;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Formats log records: for the journal each line begins with its syslog priority, as in {@code <4>link "fc" waits}; for
 * a terminal with time, level and source.
 *
 * <p>Names and strings in messages come from vehicles and from the network. So characters that begin a line, move the
 * cursor or change the reading direction are written as escapes. Never throws.
 *
 * @see <a href="https://www.freedesktop.org/software/systemd/man/sd-daemon.html">sd-daemon(3), the priorities</a>
 */
public final class JournalFormatter extends Formatter {
    public static final int MAX_MESSAGE_LENGTH = 4096;
    public static final int MAX_FRAMES = 12;
    public static final int MAX_CAUSES = 4;

    private final boolean toJournal;
    private final Supplier<ZoneId> zone;
    private @Nullable DateTimeFormatter timeFormat;

    /** @param zone for times on a terminal, called for the first line; the journal has its own times */
    public JournalFormatter(boolean toJournal, Supplier<ZoneId> zone) {
        this.toJournal = toJournal;
        this.zone = zone;
    }

    @Override
    public String format(LogRecord event) {
        StringBuilder lines = new StringBuilder();
        String head = head(event);
        appendLine(lines, head, String.valueOf(formatMessage(event)));
        String indent = toJournal ? head : " ".repeat(4);
        Throwable thrown = event.getThrown();
        for (int causes = 0; thrown != null && causes <= MAX_CAUSES; causes++) {
            appendThrown(lines, indent, causes == 0 ? "" : "caused by ", thrown);
            thrown = thrown.getCause();
        }
        return lines.toString();
    }

    private String head(LogRecord event) {
        if (toJournal) {
            return "<" + priority(event.getLevel()) + ">";
        }
        String source = String.valueOf(event.getLoggerName());
        String shortSource = source.substring(source.lastIndexOf('.') + 1);
        return timeFormat().format(event.getInstant()) + " " + word(event.getLevel()) + " " + shortSource + "  ";
    }

    /**
     * Made for the first line, because most commands print none, and loading zones and patterns takes longer than the
     * start. The handler locks.
     */
    private DateTimeFormatter timeFormat() {
        if (timeFormat == null) {
            timeFormat =
                    DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(zone.get());
        }
        return timeFormat;
    }

    private static void appendThrown(StringBuilder lines, String indent, String relation, Throwable thrown) {
        appendLine(lines, indent, "  " + relation + thrown);
        StackTraceElement[] frames = thrown.getStackTrace();
        int told = Math.min(frames.length, MAX_FRAMES);
        for (int i = 0; i < told; i++) {
            appendLine(lines, indent, "    at " + frames[i]);
        }
        if (told < frames.length) {
            appendLine(lines, indent, "    and " + (frames.length - told) + " more");
        }
    }

    private static void appendLine(StringBuilder lines, String head, String text) {
        escape(lines, head, Integer.MAX_VALUE);
        escape(lines, text, MAX_MESSAGE_LENGTH);
        if (text.length() > MAX_MESSAGE_LENGTH) {
            lines.append("... (").append(text.length() - MAX_MESSAGE_LENGTH).append(" more characters)");
        }
        lines.append('\n');
    }

    private static void escape(StringBuilder lines, String text, int maxLength) {
        int length = Math.min(text.length(), maxLength);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (isHarmless(c) || isPair(text, i, length)) {
                lines.append(c);
            } else if (c == '\n') {
                lines.append("\\n");
            } else if (c == '\t') {
                lines.append("\\t");
            } else {
                lines.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
    }

    private static boolean isHarmless(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** Whether the character is half of a complete surrogate pair. */
    private static boolean isPair(String text, int index, int end) {
        char c = text.charAt(index);
        return Character.isHighSurrogate(c)
                ? index + 1 < end && Character.isLowSurrogate(text.charAt(index + 1))
                : Character.isLowSurrogate(c) && index > 0 && Character.isHighSurrogate(text.charAt(index - 1));
    }

    /** The syslog priority, see syslog(3). */
    private static int priority(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return 3;
        }
        if (value >= Level.WARNING.intValue()) {
            return 4;
        }
        return value >= Level.INFO.intValue() ? 6 : 7;
    }

    private static String word(Level level) {
        return switch (priority(level)) {
            case 3 -> "ERROR";
            case 4 -> "WARN ";
            case 6 -> "INFO ";
            default -> "DEBUG";
        };
    }
}
