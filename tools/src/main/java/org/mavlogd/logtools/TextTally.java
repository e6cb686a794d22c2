package org.mavlogd.logtools;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mavlogd.text.Words;
import org.mavlogd.ulog.LoggedText;

/** Counts logged texts and keeps the first ones, cut to a length that a terminal shows. */
final class TextTally {
    private static final int MAX_KEPT = 1000;
    private static final int MAX_LENGTH = 500;

    private final List<LoggedText> first = new ArrayList<>();
    private final SortedMap<Integer, Long> byTag = new TreeMap<>();
    private long untagged;
    private long tagged;

    void onText(LoggedText text) {
        if (text.isTagged()) {
            tagged++;
            byTag.merge(text.tag(), 1L, Long::sum);
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

    /** How many texts there are of each tag. */
    SortedMap<Integer, Long> byTag() {
        return byTag;
    }

    List<LoggedText> first() {
        return first;
    }
}
