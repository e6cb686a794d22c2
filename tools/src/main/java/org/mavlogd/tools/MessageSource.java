package org.mavlogd.tools;

import java.util.Arrays;
import java.util.Locale;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.ULogAppender;

/** {@code LEVEL[:TAG]} of a message on the command line. */
record MessageSource(LogLevel level, int tag) {
    private static final int MAX_TAG = 65_535;

    static MessageSource parse(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new MessageSource(level(text), LoggedText.NO_TAG)
                : new MessageSource(level(text.substring(0, colon)), tag(text.substring(colon + 1)));
    }

    void add(ULogAppender section, long timestampUs, String text) {
        if (tag == LoggedText.NO_TAG) {
            section.loggedString(level, timestampUs, text);
        } else {
            section.taggedString(level, tag, timestampUs, text);
        }
    }

    private static LogLevel level(String name) {
        return Arrays.stream(LogLevel.values())
                .filter(level -> level.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" is no level; levels are "
                        + String.join(
                                ", ",
                                Arrays.stream(LogLevel.values())
                                        .map(level -> level.name().toLowerCase(Locale.ROOT))
                                        .toList())));
    }

    private static int tag(String digits) {
        try {
            int tag = Integer.parseInt(digits);
            if (tag >= 0 && tag <= MAX_TAG) {
                return tag;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new IllegalArgumentException("tag \"" + digits + "\" is not 0 to " + MAX_TAG);
    }
}
