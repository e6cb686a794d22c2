package org.mavlogd.local.journal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.mavlogd.ulog.LogLevel;

/**
 * One entry of the journal, parsed from a line of {@code journalctl -o json}. Missing fields are empty. Reused; owned
 * by one thread.
 *
 * <p>A value is a string; an array of numbers if it is not printable UTF-8; an array of these if the entry has the
 * field several times, of which the first is used; or null.
 */
final class JournalEntry {
    /** The requested fields; address fields are always there. */
    static final String FIELDS = "MESSAGE,PRIORITY,SYSLOG_IDENTIFIER,UNIT,_SYSTEMD_UNIT,_TRANSPORT,_PID,_BOOT_ID";

    static final long NO_TIME = -1;

    private static final LogLevel[] LEVELS = LogLevel.values();
    private static final int MAX_DEPTH = 8;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(64)
                    .maxNameLength(256)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private String message = "";
    private String priority = "";
    private String identifier = "";
    private String aboutUnit = "";
    private String unit = "";
    private String transport = "";
    private String pid = "";
    private String bootId = "";
    private String cursor = "";
    private String monotonic = "";

    /** Parses a line; throws if it is not one JSON object. */
    void parse(byte[] line, int offset, int length) throws IOException {
        message = "";
        priority = "";
        identifier = "";
        aboutUnit = "";
        unit = "";
        transport = "";
        pid = "";
        bootId = "";
        cursor = "";
        monotonic = "";
        try (JsonParser json = FACTORY.createParser(line, offset, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not an object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                field(name, value(json));
            }
            if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new IOException("more than an object");
            }
        }
    }

    private void field(String name, String value) {
        switch (name) {
            case "MESSAGE" -> message = value;
            case "PRIORITY" -> priority = value;
            case "SYSLOG_IDENTIFIER" -> identifier = value;
            case "UNIT" -> aboutUnit = value;
            case "_SYSTEMD_UNIT" -> unit = value;
            case "_TRANSPORT" -> transport = value;
            case "_PID" -> pid = value;
            case "_BOOT_ID" -> bootId = value;
            case "__CURSOR" -> cursor = value;
            case "__MONOTONIC_TIMESTAMP" -> monotonic = value;
            default -> {
                // Not requested.
            }
        }
    }

    private static String value(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == null) {
            throw new IOException("cut");
        }
        if (token == JsonToken.START_ARRAY) {
            return array(json);
        }
        json.skipChildren();
        return token.isScalarValue() && token != JsonToken.VALUE_NULL ? json.getText() : "";
    }

    /** Reads an array of bytes, or of several values. */
    private static String array(JsonParser json) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        String first = "";
        boolean isFirst = true;
        for (JsonToken token = json.nextToken(); token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token == JsonToken.VALUE_NUMBER_INT) {
                bytes.write(json.getIntValue());
            } else {
                String value = value(json);
                first = isFirst ? value : first;
                isFirst = false;
            }
        }
        return isFirst ? bytes.toString(StandardCharsets.UTF_8) : first;
    }

    String message() {
        return message;
    }

    /** The level; INFO if it has none. */
    LogLevel level() {
        boolean known = priority.length() == 1 && priority.charAt(0) >= '0' && priority.charAt(0) <= '7';
        return known ? LEVELS[priority.charAt(0) - '0'] : LogLevel.INFO;
    }

    /** The name that the program gives itself. */
    String identifier() {
        return identifier;
    }

    /** The unit that sent it. */
    String unit() {
        return unit;
    }

    /** The unit that it is about, if systemd itself sent it; other programs may claim anything. */
    String aboutUnit() {
        return pid.equals("1") ? aboutUnit : "";
    }

    boolean isKernels() {
        return transport.equals("kernel");
    }

    String pid() {
        return pid;
    }

    /** 32 hex digits. */
    String bootId() {
        return bootId;
    }

    String cursor() {
        return cursor;
    }

    /**
     * When the journal received it, by the monotonic clock of its boot in microseconds; {@link #NO_TIME} if not known.
     */
    long monotonicUs() {
        if (monotonic.isEmpty() || monotonic.length() > 15) {
            return NO_TIME;
        }
        long value = 0;
        for (int i = 0; i < monotonic.length(); i++) {
            int digit = monotonic.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return NO_TIME;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
