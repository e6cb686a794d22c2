package org.mavlogd.text;

import java.util.Locale;

/**
 * Numbers and strings of a log in readable form; one line each, no control characters.
 *
 * <p>Formats for {@link Locale#US}, like all code that prints a survey of a log. The result for {@link Locale#ROOT} is
 * the same, but Java would load its tables of all languages.
 */
public final class Words {
    private static final long US_PER_S = 1_000_000;

    private Words() {}

    /** {@code 1,234 places}. */
    public static String count(long count, String noun) {
        return number(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** {@code 1,234}. Without Java's formatter, which the recorder need not load just to report losses. */
    public static String number(long number) {
        StringBuilder text = new StringBuilder(Long.toString(number));
        int first = number < 0 ? 1 : 0;
        for (int at = text.length() - 3; at > first; at -= 3) {
            text.insert(at, ',');
        }
        return text.toString();
    }

    /** {@code 512 bytes}, {@code 12.3 KB}, {@code 4.5 MB}: decimal units. */
    public static String bytes(long count) {
        double bytes = (double) count;
        if (bytes < 1000) {
            return count(count, "byte");
        }
        if (bytes < 999_950) {
            return String.format(Locale.US, "%.1f KB", bytes / 1e3);
        }
        return bytes < 999_950_000
                ? String.format(Locale.US, "%.1f MB", bytes / 1e6)
                : String.format(Locale.US, "%.1f GB", bytes / 1e9);
    }

    /** {@code 578 ms}, {@code 12.3 s}, {@code 3:04.5}, {@code 2:03:04}. */
    public static String duration(long us) {
        long ms = Math.round(us / 1e3);
        if (ms < 1000) {
            return ms == 0 ? "0 s" : ms + " ms";
        }
        long tenths = Math.round(us / 1e5);
        if (tenths < 600) {
            return String.format(Locale.US, "%d.%d s", tenths / 10, tenths % 10);
        }
        if (tenths < 36_000) {
            return String.format(Locale.US, "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10);
        }
        long whole = Math.round(us / (double) US_PER_S);
        return String.format(Locale.US, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    /**
     * A text from a log that is safe to print: characters that control a terminal become spaces, and a text longer than
     * {@code limit} is truncated and marked.
     */
    public static String line(String text, int limit) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit) + 3);
        for (int i = 0; i < text.length(); i++) {
            if (line.length() >= limit) {
                return line.append("...").toString();
            }
            line.append(isPrintable(text.charAt(i)) ? text.charAt(i) : ' ');
        }
        return line.toString().strip();
    }

    private static boolean isPrintable(char c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && type != Character.UNASSIGNED;
    }
}
