package org.mavlogd.local.journal;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Up to where the journal was read.
 *
 * @param cursor of the last entry; empty while there was none
 * @param sinceEpochUs without cursor: the wall clock from which on entries are wanted
 */
record JournalPlace(String cursor, long sinceEpochUs) {
    private static final Pattern CURSOR = Pattern.compile("[!-~]{1,512}");
    private static final long US_PER_S = 1_000_000;

    static JournalPlace since(long epochUs) {
        return new JournalPlace("", Math.max(0, epochUs));
    }

    static JournalPlace at(String cursor) {
        return new JournalPlace(cursor, 0);
    }

    /** Whether a text can be a cursor: one word of printable characters. */
    static boolean isCursor(String text) {
        return CURSOR.matcher(text).matches();
    }

    boolean hasCursor() {
        return !cursor.isEmpty();
    }

    /**
     * For journalctl. The entry at the cursor comes once more: so it can be seen that the journal still has it. {@code
     * --after-cursor} would begin anywhere, and lose one entry, when it does not.
     */
    String argument() {
        return hasCursor()
                ? "--cursor=" + cursor
                : String.format(Locale.ROOT, "--since=@%d.%06d", sinceEpochUs / US_PER_S, sinceEpochUs % US_PER_S);
    }
}
