package org.mavlogd.local.publish;

/** Words from outside within a message: in quotes, short, and on one line. */
final class Quote {
    private static final int MAX_LENGTH = 40;

    private Quote() {}

    static String of(String text) {
        String start = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        StringBuilder quoted = new StringBuilder("\"");
        start.chars().forEach(c -> quoted.append(c < ' ' || c == 0x7F ? '?' : (char) c));
        return quoted.append('"').toString();
    }
}
