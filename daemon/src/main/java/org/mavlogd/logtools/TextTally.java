package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.List;
import org.mavlogd.ulog.LoggedText;

/** Counts logged texts and keeps the first ones, cut to a length that a terminal shows. */
final class TextTally {
    private static final int MAX_KEPT = 1000;
    private static final int MAX_LENGTH = 500;

    private final List<LoggedText> first = new ArrayList<>();
    private long untagged;
    private long tagged;

    void onText(LoggedText text) {
        if (text.isTagged()) {
            tagged++;
        } else {
            untagged++;
        }
        if (first.size() < MAX_KEPT) {
            String line = Words.line(text.text(), MAX_LENGTH);
            first.add(new LoggedText(text.level(), text.tag(), text.timestampUs(), line));
        }
    }

    long untagged() {
        return untagged;
    }

    long tagged() {
        return tagged;
    }

    List<LoggedText> first() {
        return first;
    }
}
