package org.mavlogd.tables;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.mavlogd.text.Words;

/**
 * Builds the rows of a CSV table: commas, quotes by RFC 4180, line ends of Unix, UTF-8.
 *
 * <p>A text that a spreadsheet would take for a formula gets a leading apostrophe; numbers do not change.
 *
 * @see <a href="https://owasp.org/www-community/attacks/CSV_Injection">OWASP, "CSV Injection"</a>
 */
public final class CsvText extends TextBytes {
    private static final String FORMULA_STARTS = "=+-@\t\r\n";
    private static final long US_PER_S = 1_000_000;

    /** The treatment of control characters in texts. */
    public enum Texts {
        /** Unchanged. */
        EXACT,
        /** Replaced by spaces, because they could control a terminal. */
        PRINTABLE
    }

    private final Texts texts;
    private boolean inRow;
    // Text of the last second of UTC, which many rows share.
    private long second = Long.MIN_VALUE;
    private byte[] secondText = {};

    public CsvText(Texts texts) {
        this.texts = texts;
    }

    @Override
    public void clear() {
        super.clear();
        inRow = false;
    }

    public void endRow() {
        put('\n');
        inRow = false;
    }

    public void integer(long value) {
        beginCell();
        putInteger(value);
    }

    public void unsigned(long value) {
        beginCell();
        putUnsigned(value);
    }

    /** Adds a float with as few digits as are needed to read the same value. */
    public void number(float value) {
        beginCell();
        if (Float.isFinite(value)) {
            putNumber(value);
        } else {
            putAscii(notFinite(value));
        }
    }

    void number(double value) {
        beginCell();
        if (Double.isFinite(value)) {
            putNumber(value);
        } else {
            putAscii(notFinite(value));
        }
    }

    /** Adds a number as text, as a database returns it. */
    public void number(String ascii) {
        beginCell();
        putAscii(ascii);
    }

    /** Adds microseconds as seconds: {@code 12.000345}. */
    void seconds(long us) {
        beginCell();
        putUnsigned(Long.divideUnsigned(us, US_PER_S));
        put('.');
        digits(Long.remainderUnsigned(us, US_PER_S), 6);
    }

    /** Adds microseconds since the Unix epoch as UTC: {@code 2026-03-20T20:28:14.500000Z}. */
    void utc(long epochUs) {
        beginCell();
        if (Math.floorDiv(epochUs, US_PER_S) != second) {
            second = Math.floorDiv(epochUs, US_PER_S);
            String text = Instant.ofEpochSecond(second).toString();
            secondText = guarded(text.substring(0, text.length() - 1)).getBytes(StandardCharsets.US_ASCII);
        }
        put(secondText);
        put('.');
        digits(Math.floorMod(epochUs, US_PER_S), 6);
        put('Z');
    }

    public void text(String text) {
        beginCell();
        String shown = texts == Texts.EXACT ? text : Words.line(text, Integer.MAX_VALUE);
        byte[] utf8 = guarded(shown).getBytes(StandardCharsets.UTF_8);
        if (!needsQuotes(utf8)) {
            put(utf8);
            return;
        }
        put('"');
        for (byte b : utf8) {
            if (b == '"') {
                put('"');
            }
            put(b);
        }
        put('"');
    }

    /** Protects a text of the log from being taken for a formula. */
    private static String guarded(String text) {
        return text.isEmpty() || FORMULA_STARTS.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
    }

    /** Whether a text needs quotes, also because of the separators that some countries use in place of commas. */
    private static boolean needsQuotes(byte[] text) {
        for (byte b : text) {
            if (b == ',' || b == ';' || b == '\t' || b == '"' || b == '\r' || b == '\n') {
                return true;
            }
        }
        return text.length > 0 && (text[0] == ' ' || text[text.length - 1] == ' ');
    }

    /** The word that spreadsheets, C, Python and R read. */
    private static String notFinite(double value) {
        return Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
    }

    private void beginCell() {
        if (inRow) {
            put(',');
        }
        inRow = true;
    }
}
