package org.mavlogd.local.publish;

/** A line, or a sample in binary form, that is rejected; the message gives the reason to the program that sent it. */
final class BadLineException extends Exception {
    /** What can be wrong with what programs send; a tag in the metrics. */
    enum Fault {
        /** Not JSON, or not one object. */
        JSON,
        /** Keys that are missing, unknown, or do not go together, and values that they cannot have. */
        LINE,
        /** A topic that is not there and cannot be made. */
        TOPIC,
        /** Fields that do not fit the topic. */
        FIELDS,
        /** A time that cannot be. */
        TIME,
        /** The binary form. */
        BINARY,
        /** More messages than their tag may have. */
        LIMIT,
        /** No room: the ring was full. */
        FULL
    }

    private static final long serialVersionUID = 1;
    private static final int MAX_QUOTED = 40;

    private final Fault fault;

    BadLineException(Fault fault, String message) {
        super(message, null, false, false); // whoever sends bad lines all the time should not cost us stack traces
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** Words from outside within a message: in quotes, short, and on one line. */
    static String quote(String text) {
        String start = text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
        StringBuilder quoted = new StringBuilder("\"");
        start.chars().forEach(c -> quoted.append(c < ' ' || c == 0x7F ? '?' : (char) c));
        return quoted.append('"').toString();
    }
}
