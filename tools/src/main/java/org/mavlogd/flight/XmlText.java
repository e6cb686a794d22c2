package org.mavlogd.flight;

import java.io.IOException;
import java.io.Writer;

/** Writes XML 1.0. Texts from a log are arbitrary: characters that XML does not allow become spaces or U+FFFD. */
final class XmlText {
    private static final int REPLACEMENT = 0xFFFD;
    private static final int MAX_DIGITS = 9;

    private final Writer out;
    private final StringBuilder line = new StringBuilder();

    XmlText(Writer out) {
        this.out = out;
    }

    /** Adds text that is XML already. */
    XmlText xml(String xml) {
        line.append(xml);
        return this;
    }

    /** Adds an element that only has a text. */
    XmlText element(String name, String text) {
        return xml("<").xml(name).xml(">").text(text).xml("</").xml(name).xml(">");
    }

    /** Adds an escaped text, also for attributes. */
    XmlText text(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            switch (c) {
                case '<' -> line.append("&lt;");
                case '>' -> line.append("&gt;");
                case '&' -> line.append("&amp;");
                case '"' -> line.append("&quot;");
                default -> line.appendCodePoint(allowed(c));
            }
        }
        return this;
    }

    // XML 1.0, "Characters"; attributes do not preserve tabs and line breaks.
    private static int allowed(int c) {
        boolean isControl = c < ' ' || (c >= 0x7F && c < 0xA0);
        boolean isNone = (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) || c == 0xFFFE || c == 0xFFFF;
        return isControl ? ' ' : isNone ? REPLACEMENT : c;
    }

    /** Adds a number without exponent, with up to {@code digits} decimals and without zeros at the end. */
    XmlText number(double value, int digits) {
        long scale = 1;
        for (int i = 0; i < Math.min(digits, MAX_DIGITS); i++) {
            scale *= 10;
        }
        long parts = Math.round(Math.abs(value) * scale);
        if (value < 0 && parts != 0) {
            line.append('-');
        }
        line.append(parts / scale);
        fraction(parts % scale, scale);
        return this;
    }

    private void fraction(long parts, long scale) {
        if (parts != 0) {
            line.append('.');
        }
        long rest = parts;
        for (long step = scale / 10; rest != 0; step /= 10) {
            line.append((char) ('0' + rest / step));
            rest %= step;
        }
    }

    /** Writes everything added as a line. */
    void end() throws IOException {
        out.append(line.append('\n'));
        line.setLength(0);
    }
}
