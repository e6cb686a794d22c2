package org.mavlogd.local;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The content of a file of procfs or sysfs, with a cursor. Words are separated by spaces, tabs and colons; lines end in
 * a newline. No call goes beyond the end, and none throws if text is missing. Reused; only methods that return a String
 * allocate. Owned by one thread at a time.
 */
public final class TextBuffer {
    /** The result of {@link #number} if there is no number. */
    public static final long NONE = Long.MIN_VALUE;

    private static final int MAX_DIGITS = 18; // fits into a long

    private final ByteBuffer bytes;
    private final Decimals decimals = new Decimals();
    private int at;

    /** @param capacity in bytes; of longer files the start is taken */
    public TextBuffer(int capacity) {
        this.bytes = ByteBuffer.allocateDirect(capacity);
        bytes.limit(0);
    }

    /** Sets the content, as if read from a file. */
    public TextBuffer set(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        clear().put(utf8, 0, Math.min(utf8.length, bytes.capacity()));
        flip();
        return this;
    }

    ByteBuffer clear() {
        at = 0;
        return bytes.clear();
    }

    void flip() {
        bytes.flip();
        at = 0;
    }

    /** Whether everything is read. */
    public boolean isAtEnd() {
        return at >= bytes.limit();
    }

    /** Goes back to the start. */
    public void rewind() {
        at = 0;
    }

    /** Goes after the next newline. */
    public void nextLine() {
        while (!isAtEnd() && bytes.get(at) != '\n') {
            at++;
        }
        at++;
    }

    /** Goes after {@code prefix} if the text continues with it; skips spaces before it. */
    public boolean take(String prefix) {
        skipSpaces();
        if (bytes.limit() - at < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (bytes.get(at + i) != prefix.charAt(i)) {
                return false;
            }
        }
        at += prefix.length();
        return true;
    }

    /** Goes after {@code word} if exactly that is the next word. */
    public boolean takeWord(String word) {
        int before = at;
        if (take(word) && isAtGap()) {
            return true;
        }
        at = before;
        return false;
    }

    /** The next word of the line; empty if there is none. Allocates. */
    public String word() {
        skipSpaces();
        int from = at;
        skipWord();
        return text(from, at);
    }

    /** The rest of the line, stripped. Allocates. */
    public String line() {
        int from = at;
        nextLine();
        return text(from, Math.min(at, bytes.limit())).strip();
    }

    /** Skips the next word of the line. */
    public void skip() {
        skipSpaces();
        skipWord();
    }

    /** Skips {@code count} words of the line. */
    public void skip(int count) {
        for (int i = 0; i < count; i++) {
            skip();
        }
    }

    /** The next word as an integer; {@link #NONE} if it is not one, and then it is skipped. */
    public long number() {
        return number(10);
    }

    /** The next word as hexadecimal digits, with or without {@code 0x}; {@link #NONE} if it is not that. */
    public long hexNumber() {
        take("0x");
        return number(16);
    }

    private long number(int radix) {
        skipSpaces();
        boolean negative = !isAtEnd() && bytes.get(at) == '-';
        int from = negative ? at + 1 : at;
        long value = 0;
        int i = from;
        while (i < bytes.limit() && Character.digit(bytes.get(i), radix) >= 0 && i - from < MAX_DIGITS) {
            value = value * radix + Character.digit(bytes.get(i), radix);
            i++;
        }
        boolean whole = i > from && (i == bytes.limit() || isGap(bytes.get(i)) || bytes.get(i) == '.');
        at = i;
        skipWord();
        if (!whole) {
            return NONE;
        }
        return negative ? -value : value;
    }

    /**
     * The next word as a number with or without fraction and exponent; NaN if it is not one, and then it is skipped.
     */
    public double decimal() {
        skipSpaces();
        int from = at;
        skipWord();
        return decimals.parse(bytes, from, at);
    }

    private void skipSpaces() {
        while (!isAtEnd() && isGap(bytes.get(at)) && bytes.get(at) != '\n') {
            at++;
        }
    }

    private void skipWord() {
        while (!isAtEnd() && !isGap(bytes.get(at))) {
            at++;
        }
    }

    private boolean isAtGap() {
        return isAtEnd() || isGap(bytes.get(at));
    }

    private static boolean isGap(byte c) {
        return c == ' ' || c == '\t' || c == ':' || c == '\n' || c == '\r' || c == 0;
    }

    private String text(int from, int to) {
        byte[] part = new byte[Math.max(0, to - from)];
        bytes.get(from, part);
        return new String(part, StandardCharsets.UTF_8);
    }
}
