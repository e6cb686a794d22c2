package org.mavlogd.ulog;

import java.nio.ByteBuffer;

/** Encodes text as UTF-8 without allocation. An unpaired surrogate becomes {@code '?'}. Hot path. */
final class Utf8 {
    private Utf8() {}

    static int length(CharSequence text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (isPair(text, i)) {
                bytes += 4;
                i++;
            } else {
                bytes++;
            }
        }
        return bytes;
    }

    static void put(CharSequence text, ByteBuffer target) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                target.put((byte) c);
            } else if (c < 0x800) {
                target.put((byte) (0xC0 | (c >> 6)));
                target.put(tail(c));
            } else if (!Character.isSurrogate(c)) {
                target.put((byte) (0xE0 | (c >> 12)));
                target.put(tail(c >> 6));
                target.put(tail(c));
            } else if (isPair(text, i)) {
                int codePoint = Character.toCodePoint(c, text.charAt(++i));
                target.put((byte) (0xF0 | (codePoint >> 18)));
                target.put(tail(codePoint >> 12));
                target.put(tail(codePoint >> 6));
                target.put(tail(codePoint));
            } else {
                target.put((byte) '?');
            }
        }
    }

    /** Length of the longest prefix of at most {@code limit} bytes that does not split a character. */
    static int cut(byte[] utf8, int offset, int end, int limit) {
        if (end - offset <= limit) {
            return end - offset;
        }
        int cut = limit;
        while (cut > Math.max(0, limit - 3) && (utf8[offset + cut] & 0xC0) == 0x80) {
            cut--;
        }
        return (utf8[offset + cut] & 0xC0) == 0x80 ? limit : cut;
    }

    private static byte tail(int bits) {
        return (byte) (0x80 | (bits & 0x3F));
    }

    private static boolean isPair(CharSequence text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }
}
