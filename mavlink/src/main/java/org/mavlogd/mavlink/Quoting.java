package org.mavlogd.mavlink;

/** Words from outside in messages of one line. */
final class Quoting {
    private static final int MAX_LENGTH = 60;

    private Quoting() {}

    /** In quotes, shortened, with '?' for what would break the line. */
    static String quoted(String text) {
        String cut = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        return '"' + cut.replaceAll("[^ -~]", "?") + '"';
    }
}
