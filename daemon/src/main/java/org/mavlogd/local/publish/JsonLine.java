package org.mavlogd.local.publish;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one line after the other. One parser is used for all lines, so that a line of known names allocates
 * nothing. It is made for the first line, because many computers publish nothing, and made again after a line that is
 * not JSON. Owned by one thread.
 *
 * <p>JSON has neither NaN nor infinities, but {@code NaN}, {@code Infinity} and {@code -Infinity} are accepted, because
 * Python's json writes them.
 */
final class JsonLine {
    private static final int MAX_DEPTH = 8;
    private static final int MAX_NUMBER = 64;
    private static final int MAX_NAME = 128;
    private static final int MAX_STRING = 16 * 1024;
    private static final int MAX_SHOWN = 30;

    // The parser keeps names that it has seen, up to 64 Ki of them, which may take half of the heap; it is replaced
    // after this many bytes of lines with unknown names.
    private static final int MAX_BAD_BYTES = 64 * 1024;

    private @Nullable JsonParser json;
    private long consumed;
    private byte[] line = {};
    private int start;
    private int length;
    private int badBytes;

    private static JsonParser newParser() {
        try {
            return JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(MAX_NUMBER)
                            .maxStringLength(MAX_STRING)
                            .maxNameLength(MAX_NAME)
                            .build())
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build()
                    .createNonBlockingByteArrayParser();
        } catch (IOException e) {
            throw new IllegalStateException("a parser without any input", e);
        }
    }

    /** Goes to the line's first token, which must begin an object. */
    void begin(byte[] bytes, int offset, int lineLength) throws BadLineException {
        checkStart(bytes, offset, lineLength);
        line = bytes;
        start = offset;
        length = lineLength;
        while (isSpace(bytes[offset + length - 1])) {
            length--;
        }
        try {
            feeder().feedInput(bytes, offset, offset + length);
        } catch (IOException e) {
            throw new IllegalStateException("a line was not read to its end", e);
        }
        next();
    }

    private ByteArrayFeeder feeder() {
        return (ByteArrayFeeder) token().getNonBlockingInputFeeder();
    }

    private static boolean isSpace(byte character) {
        return character == ' ' || character == '\t' || character == '\r';
    }

    /**
     * Other first characters are refused here: a parser that gets its input in pieces would wait for more digits or
     * letters after them.
     */
    private static void checkStart(byte[] bytes, int offset, int lineLength) throws BadLineException {
        int at = offset;
        int end = offset + lineLength;
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
        if (at == end || bytes[at] != '{') {
            String start = new String(bytes, at, Math.min(MAX_SHOWN, end - at), StandardCharsets.UTF_8);
            throw new BadLineException(
                    BadLineException.Fault.JSON, "expected a JSON object, found " + BadLineException.quote(start));
        }
    }

    /** The next token. */
    JsonToken next() throws BadLineException {
        try {
            JsonToken token = token().nextToken();
            if (token == JsonToken.NOT_AVAILABLE) {
                throw new BadLineException(BadLineException.Fault.JSON, "the line ends before the object does");
            }
            return token;
        } catch (IOException e) {
            throw syntax(e);
        }
    }

    /**
     * Checks that there is nothing after the object. Not with the parser: it would keep the start of a number, and
     * refuse the next line because of it.
     */
    void end() throws BadLineException {
        if (!feeder().needMoreInput()) {
            int read = (int) (token().currentLocation().getByteOffset() - consumed);
            String rest = new String(line, start + read, Math.min(MAX_SHOWN, length - read), StandardCharsets.UTF_8);
            throw new BadLineException(
                    BadLineException.Fault.JSON,
                    "expected one JSON object in a line, found " + BadLineException.quote(rest.strip()) + " after it");
        }
        consumed += length;
    }

    /** Skips a value whose first token was read. */
    void skip(JsonToken first) throws BadLineException {
        int depth = first.isStructStart() ? 1 : 0;
        while (depth > 0) {
            JsonToken token = next();
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        }
    }

    /** The parser, from which names, strings and numbers are read. */
    JsonParser token() {
        JsonParser known = json;
        if (known == null) {
            known = newParser();
            json = known;
        }
        return known;
    }

    /** Must be called after a rejected line; {@code whole} if it was read to its end. */
    void forget(boolean whole) {
        badBytes += length;
        if (!whole || badBytes >= MAX_BAD_BYTES) {
            badBytes = 0;
            consumed = 0;
            json = null;
        }
    }

    private BadLineException syntax(IOException e) {
        String what = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        long at = e instanceof JsonProcessingException json && json.getLocation() != null
                ? json.getLocation().getByteOffset() - consumed
                : -1;
        String place = at >= 0 && at <= length ? " at byte " + at : "";
        return new BadLineException(
                BadLineException.Fault.JSON,
                "not JSON" + place + ": " + String.valueOf(what).replaceAll("\\s+", " "));
    }
}
