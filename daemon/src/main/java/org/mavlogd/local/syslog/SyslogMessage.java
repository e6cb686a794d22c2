package org.mavlogd.local.syslog;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.ulog.LogLevel;

/**
 * One parsed syslog message: its priority, the program that sent it, and its text. A message in neither RFC's form is
 * kept as text. Parsing never throws.
 *
 * @param facility 0 to 23
 * @param program APP-NAME or TAG; empty if there is none
 * @param pid PROCID, or the value in brackets after TAG; empty if there is none
 * @param text the message; may be empty
 * @param isSound whether it follows one of the RFCs, or a common variant
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5424#section-6">RFC 5424</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc3164#section-4">RFC 3164</a>
 */
record SyslogMessage(int facility, LogLevel level, String program, String pid, String text, boolean isSound) {
    private static final int USER = 1;
    private static final int MAX_PRIORITY = 191;
    private static final LogLevel[] LEVELS = LogLevel.values();
    private static final String NIL = "-";
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** No leading zeros, except for 0 itself: RFC 3164, 4.1.1. */
    private static final Pattern PRIORITY = Pattern.compile("<(0|[1-9][0-9]{0,2})>");

    private static final String ISO_TIME =
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?" + "(?:Z|[+-][0-9]{2}:[0-9]{2})";

    /** RFC 5424 up to the structured data: VERSION TIMESTAMP HOSTNAME APP-NAME PROCID MSGID. */
    private static final Pattern NEW_HEADER =
            Pattern.compile("1 (?:-|" + ISO_TIME + ") [!-~]{1,255} ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) ");

    /** RFC 3164, 4.1.2, or the time of RFC 5424, which some relays use instead. */
    private static final Pattern OLD_TIME = Pattern.compile(
            "(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}|" + ISO_TIME
                    + ") ");

    /** TAG with its process in brackets and the colon that ends it. */
    private static final Pattern TAG = Pattern.compile("([A-Za-z0-9_./@-]{1,48})(?:\\[([A-Za-z0-9_.-]{1,32})\\])?: ?");

    private static final Pattern HOST = Pattern.compile("[!-~]{1,255} ");

    /** Parses a datagram. */
    static SyslogMessage of(byte[] buffer, int offset, int length) {
        String all = text(buffer, offset, length);
        Matcher priority = PRIORITY.matcher(all);
        if (!priority.lookingAt() || Integer.parseInt(priority.group(1)) > MAX_PRIORITY) {
            return new SyslogMessage(USER, LogLevel.NOTICE, "", "", all, false);
        }
        int number = Integer.parseInt(priority.group(1));
        int facility = number >> 3;
        LogLevel level = LEVELS[number & 7];
        String rest = all.substring(priority.end());
        Matcher header = NEW_HEADER.matcher(rest);
        return header.lookingAt() ? ofNew(facility, level, rest, header) : ofOld(facility, level, rest);
    }

    /** Decodes UTF-8, without control characters that some senders append. */
    private static String text(byte[] buffer, int offset, int length) {
        int end = offset + length;
        while (end > offset && buffer[end - 1] >= 0 && buffer[end - 1] <= ' ') {
            end--;
        }
        return new String(buffer, offset, end - offset, StandardCharsets.UTF_8);
    }

    private static SyslogMessage ofNew(int facility, LogLevel level, String rest, Matcher header) {
        String program = unlessNil(header.group(1));
        String pid = unlessNil(header.group(2));
        int data = header.end();
        int end = endOfData(rest, data);
        // The end of the datagram may lack the space after the data.
        if (end < 0 || (end < rest.length() && rest.charAt(end) != ' ')) {
            return new SyslogMessage(facility, level, program, pid, rest.substring(data), false);
        }
        String text = rest.substring(Math.min(end + 1, rest.length()));
        text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        if (text.isBlank()) {
            // Some messages contain everything in their data.
            text = (unlessNil(header.group(3)) + " " + unlessNil(rest.substring(data, end))).strip();
        }
        return new SyslogMessage(facility, level, program, pid, text, true);
    }

    private static String unlessNil(String field) {
        return field.equals(NIL) ? "" : field;
    }

    /** The end of the STRUCTURED-DATA that begins at an index; negative if there is none. */
    private static int endOfData(String text, int from) {
        if (text.startsWith(NIL, from)) {
            return from + 1;
        }
        int at = from;
        while (at >= 0 && at < text.length() && text.charAt(at) == '[') {
            at = endOfElement(text, at);
        }
        return at > from ? at : -1;
    }

    /** The end of an SD-ELEMENT; brackets and quotes in a value have a backslash before them. */
    private static int endOfElement(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ']' && !quoted) {
                return i + 1;
            }
        }
        return -1;
    }

    private static SyslogMessage ofOld(int facility, LogLevel level, String rest) {
        Matcher time = OLD_TIME.matcher(rest);
        int begin = time.lookingAt() ? time.end() : 0;
        Matcher tag = TAG.matcher(rest).region(begin, rest.length());
        if (begin > 0 && !tag.lookingAt()) {
            // Programs of this computer omit the host, relays do not.
            Matcher host = HOST.matcher(rest).region(begin, rest.length());
            if (host.lookingAt()) {
                tag.region(host.end(), rest.length());
            }
        }
        if (!tag.lookingAt()) {
            return new SyslogMessage(facility, level, "", "", rest.substring(begin), begin > 0);
        }
        String pid = tag.group(2) == null ? "" : tag.group(2);
        return new SyslogMessage(facility, level, tag.group(1), pid, rest.substring(tag.end()), true);
    }
}
