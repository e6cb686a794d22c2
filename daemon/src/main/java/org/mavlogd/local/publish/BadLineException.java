package org.mavlogd.local.publish;

/** A line, or a sample in binary form, that is rejected; the message gives the reason to the program that sent it. */
final class BadLineException extends Exception {
    /** The kinds of errors in received data; a tag in the metrics. */
    enum Fault {
        /** Not JSON, or not one object. */
        JSON,
        /** A missing or unknown key, keys that exclude each other, or an invalid value. */
        LINE,
        /** A topic that does not exist and cannot be declared. */
        TOPIC,
        /** Fields that do not fit the topic. */
        FIELDS,
        /** An implausible time. */
        TIME,
        /** An error in the binary form. */
        BINARY,
        /** More messages than allowed under their tag. */
        LIMIT,
        /** The ring was full. */
        FULL
    }

    private static final long serialVersionUID = 1;
    private static final int MAX_QUOTED = 40;

    private final Fault fault;

    BadLineException(Fault fault, String message) {
        super(message, null, false, false); // no stack trace: a program may send many bad lines
        this.fault = fault;
    }

    Fault fault() {
        return fault;
    }

    String text() {
        return String.valueOf(getMessage());
    }

    /** Quotes text from outside for a message: shortened, on one line. */
    static String quote(String text) {
        String start = text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "...";
        StringBuilder quoted = new StringBuilder("\"");
        start.chars().forEach(c -> quoted.append(c < ' ' || c == 0x7F ? '?' : (char) c));
        return quoted.append('"').toString();
    }
}
