package org.mavlogd.local.publish;

/** Encodes characters as UTF-8 into a buffer of limited size. Allocates nothing. */
final class Utf8Chars {
    private Utf8Chars() {}

    /**
     * Writes as many complete characters as fit. Halves of surrogate pairs become {@code ?}, NUL becomes a space,
     * because it would end the text for every reader.
     *
     * @return how many bytes were written
     */
    static int put(char[] text, int offset, int length, byte[] out, int at, int room) {
        int to = at;
        int limit = at + room;
        for (int i = offset; i < offset + length; i++) {
            int c = text[i];
            if (Character.isHighSurrogate(text[i])
                    && i + 1 < offset + length
                    && Character.isLowSurrogate(text[i + 1])) {
                c = Character.toCodePoint(text[i], text[++i]);
            } else if (Character.isSurrogate(text[i])) {
                c = '?';
            } else if (c == 0) {
                c = ' ';
            }
            int bytes = size(c);
            if (limit - to < bytes) {
                break;
            }
            put(c, bytes, out, to);
            to += bytes;
        }
        return to - at;
    }

    /** The encoded length in bytes. */
    static int size(char[] text, int offset, int length) {
        int size = 0;
        for (int i = offset; i < offset + length; i++) {
            boolean pair = Character.isHighSurrogate(text[i])
                    && i + 1 < offset + length
                    && Character.isLowSurrogate(text[i + 1]);
            size += pair ? 4 : Character.isSurrogate(text[i]) ? 1 : size(text[i]);
            i += pair ? 1 : 0;
        }
        return size;
    }

    /** The encoded length in bytes. */
    static int size(String text) {
        return size(text.toCharArray(), 0, text.length());
    }

    private static int size(int c) {
        return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    }

    private static void put(int c, int bytes, byte[] out, int at) {
        if (bytes == 1) {
            out[at] = (byte) c;
            return;
        }
        int rest = c;
        for (int i = bytes - 1; i > 0; i--) {
            out[at + i] = (byte) (0x80 | (rest & 0x3F));
            rest >>>= 6;
        }
        int mark = bytes == 2 ? 0xC0 : bytes == 3 ? 0xE0 : 0xF0;
        out[at] = (byte) (mark | rest);
    }
}
