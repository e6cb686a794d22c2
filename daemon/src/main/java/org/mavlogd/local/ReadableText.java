package org.mavlogd.local;

import java.util.Locale;

/**
 * Makes one readable line of an untrusted text: removes terminal colours, replaces a line end by {@code \n} and a tab
 * by a space, and writes other invisible characters as escapes.
 */
public final class ReadableText {
    private static final char ESCAPE = 0x1B;

    private ReadableText() {}

    /** Appends the text, at most {@code limit} characters, without spaces and line ends around it. */
    public static void append(CharSequence text, int limit, StringBuilder line) {
        int end = text.length();
        while (end > 0 && isSpace(text.charAt(end - 1))) {
            end--;
        }
        int at = 0;
        while (at < end && isSpace(text.charAt(at))) {
            at++;
        }
        int most = line.length() + limit;
        while (at < end && line.length() < most) {
            at = appendAt(text, at, end, line);
        }
    }

    private static boolean isSpace(char c) {
        return c <= ' ' && c != ESCAPE;
    }

    /** Appends the character at an index, and returns the next index. */
    private static int appendAt(CharSequence text, int at, int end, StringBuilder line) {
        char c = text.charAt(at);
        if (c >= ' ' && c < 0x7F) {
            line.append(c);
            return at + 1;
        }
        if (Character.isHighSurrogate(c) && at + 1 < end && Character.isLowSurrogate(text.charAt(at + 1))) {
            line.append(c).append(text.charAt(at + 1));
            return at + 2;
        }
        switch (c) {
            case '\n' -> line.append("\\n");
            case '\t' -> line.append(' ');
            case '\r' -> {
                if (at + 1 == end || text.charAt(at + 1) != '\n') {
                    line.append("\\r");
                }
            }
            case ESCAPE -> {
                return behindSequence(text, at, end, line);
            }
            default -> appendRare(c, line);
        }
        return at + 1;
    }

    /**
     * The end of a control sequence as in ECMA-48, section 5.4: parameters 30 to 3F, intermediates 20 to 2F, one final
     * byte.
     */
    private static int behindSequence(CharSequence text, int at, int end, StringBuilder line) {
        int i = at + 1;
        if (i < end && text.charAt(i) == '[') {
            i++;
            while (i < end && text.charAt(i) >= 0x20 && text.charAt(i) <= 0x3F) {
                i++;
            }
            if (i < end && text.charAt(i) >= 0x40 && text.charAt(i) <= 0x7E) {
                return i + 1;
            }
        }
        appendRare(ESCAPE, line);
        return at + 1;
    }

    private static void appendRare(char c, StringBuilder line) {
        switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            default -> line.append(c);
        }
    }
}
