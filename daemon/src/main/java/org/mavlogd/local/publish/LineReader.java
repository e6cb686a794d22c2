package org.mavlogd.local.publish;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.mavlogd.metrics.Counter;
import org.mavlogd.ulog.LogLevel;

/**
 * Parses a line: a sample, a message, a definition, or a request for an answer. Keys may come in any order. A sample
 * whose topic comes before its fields is parsed once, others twice. Owned by one thread. Hot path.
 */
final class LineReader {
    private static final int MAX_INSTANCE = 255;
    private static final LogLevel[] LEVELS = LogLevel.values();

    private static final List<String> KEYS = List.of(
            "topic", "fields", "time", "time_ns", "utc", "instance", "text", "level", "tag", "define", "units", "id");
    private static final int TOPIC = bit("topic");
    private static final int FIELDS = bit("fields");
    private static final int TIMES = bit("time") | bit("time_ns") | bit("utc");
    private static final int TEXT = bit("text");
    private static final int DEFINE = bit("define");
    private static final int ID = bit("id");
    private static final int OF_SAMPLE = TOPIC | FIELDS | TIMES | bit("instance") | ID;
    private static final int OF_TEXT = TEXT | bit("level") | bit("tag") | TIMES | ID;
    private static final int OF_DEFINE = DEFINE | FIELDS | bit("units") | ID;

    private final PublishedTopics topics;
    private final SampleClock clock;
    private final ToIntFunction<String> tags;
    private final JsonLine line = new JsonLine();
    private final FieldsReader fields;
    private final DefinitionReader definitions = new DefinitionReader(line);

    private int seen;
    private @Nullable PublishedTopic topic;
    private String name = "";
    private int instance;
    private long takenNs;
    private long nowNs;
    private String text = "";
    private LogLevel level = LogLevel.INFO;
    private int tag;
    private long id;
    private boolean fieldsRead;
    private String problem = "";
    private BadLineException.Fault fault = BadLineException.Fault.LINE;

    LineReader(PublishedTopics topics, SampleClock clock, ToIntFunction<String> tags, Counter cut) {
        this.topics = topics;
        this.clock = clock;
        this.tags = tags;
        this.fields = new FieldsReader(line, cut);
    }

    /** The kinds of lines. */
    enum Kind {
        SAMPLE,
        TEXT,
        DEFINITION,
        /** An id only: asks whether all lines before it were read. */
        QUESTION
    }

    /** Reads a line, and declares a topic that it defines. After an exception only the id is valid. */
    Kind read(byte[] bytes, int offset, int length, long nowNs) throws BadLineException {
        reset(nowNs);
        boolean whole = false;
        try {
            line.begin(bytes, offset, length);
            members();
            line.end();
            whole = true;
            Kind kind = kind();
            if (!problem.isEmpty()) {
                throw new BadLineException(fault, problem);
            }
            if (kind == Kind.SAMPLE && !fieldsRead) {
                whole = false;
                readAgain(bytes, offset, length);
                whole = true;
            } else if (kind == Kind.DEFINITION) {
                whole = false;
                topic = topics.define(definitions.read(bytes, offset, length, name));
                whole = true;
            }
            return kind;
        } catch (BadLineException e) {
            line.forget(whole);
            throw e;
        }
    }

    /** After an error in the middle of a line the next one begins with a new parser. */
    void restart() {
        line.forget(false);
    }

    private void reset(long now) {
        seen = 0;
        topic = null;
        name = "";
        instance = 0;
        nowNs = now;
        takenNs = now;
        text = "";
        level = LogLevel.INFO;
        tag = 0;
        fieldsRead = false;
        problem = "";
    }

    private void members() throws BadLineException {
        while (line.next() == JsonToken.FIELD_NAME) {
            try {
                String key = line.token().currentName();
                member(key, line.next());
            } catch (IOException e) {
                throw new BadLineException(BadLineException.Fault.JSON, String.valueOf(e.getMessage()));
            }
        }
    }

    private void member(String key, JsonToken value) throws BadLineException, IOException {
        JsonParser json = line.token();
        // A second topic would be published with the fields of the first one.
        if ((seen & bit(key)) != 0 && KEYS.contains(key)) {
            line.skip(value);
            wrong(BadLineException.Fault.LINE, BadLineException.quote(key) + " is listed twice");
            return;
        }
        switch (key) {
            case "topic" -> topic(key, value);
            case "fields" -> fields(value);
            case "time", "utc", "time_ns" -> time(key, value);
            case "instance" -> instance = (int) whole(key, value, 0, MAX_INSTANCE);
            case "text" -> text = string(key, value) ? json.getText() : "";
            case "level" -> level(key, value);
            case "tag" -> tag(key, value);
            case "define" -> name = string(key, value) ? json.getText() : "";
            case "units" -> line.skip(value);
            case "id" -> id = whole(key, value, 0, Long.MAX_VALUE);
            default -> {
                line.skip(value);
                wrong(
                        BadLineException.Fault.LINE,
                        "unknown key " + BadLineException.quote(key) + ", allowed: " + String.join(", ", KEYS));
                return;
            }
        }
        seen |= bit(key);
    }

    private void topic(String key, JsonToken value) throws BadLineException, IOException {
        if (string(key, value)) {
            JsonParser json = line.token();
            topic = topics.find(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
            if (topic == null) {
                name = json.getText();
            }
        }
    }

    private void fields(JsonToken value) throws BadLineException {
        if (value != JsonToken.START_OBJECT) {
            wrong(BadLineException.Fault.FIELDS, "\"fields\": expected an object, found " + describe(value));
            line.skip(value);
        } else if (topic != null && (seen & DEFINE) == 0) {
            String found = fields.read(topic);
            fieldsRead = true;
            if (!found.isEmpty()) {
                wrong(BadLineException.Fault.FIELDS, found);
            }
        } else {
            line.skip(value);
        }
    }

    private void time(String key, JsonToken value) throws BadLineException, IOException {
        if (!value.isNumeric()) {
            wrong(BadLineException.Fault.TIME, '"' + key + "\": expected a number, found " + describe(value));
            line.skip(value);
            return;
        }
        if ((seen & TIMES) != 0) {
            wrong(BadLineException.Fault.TIME, "more than one time; allowed: one of time, time_ns and utc");
            return;
        }
        try {
            takenNs = switch (key) {
                case "time" -> clock.ofSeconds(FieldsReader.number(line.token()), nowNs);
                case "utc" -> clock.ofUtcSeconds(FieldsReader.number(line.token()), nowNs);
                default -> clock.ofNs(whole(key, value, 0, Long.MAX_VALUE), nowNs);
            };
        } catch (BadLineException e) {
            wrong(e.fault(), e.text());
        }
    }

    private void level(String key, JsonToken value) throws BadLineException, IOException {
        if (value == JsonToken.VALUE_NUMBER_INT) {
            level = LEVELS[(int) whole(key, value, 0, LEVELS.length - 1)];
        } else if (string(key, value)) {
            LogLevel named = Levels.find(line.token().getText());
            if (named == null) {
                wrong(
                        BadLineException.Fault.LINE,
                        "\"level\" is " + BadLineException.quote(line.token().getText()) + ", allowed: "
                                + Levels.allowed());
            } else {
                level = named;
            }
        }
    }

    private void tag(String key, JsonToken value) throws BadLineException, IOException {
        if (value == JsonToken.VALUE_NUMBER_INT) {
            tag = (int) whole(key, value, 0, 0xFFFF);
        } else if (string(key, value)) {
            tag = tags.applyAsInt(line.token().getText());
            if (tag < 0) {
                wrong(
                        BadLineException.Fault.LINE,
                        "\"tag\" is " + BadLineException.quote(line.token().getText())
                                + ", allowed: a number from 0 to 65535, or a name that [tags] of the configuration has");
            }
        }
    }

    private long whole(String key, JsonToken value, long min, long max) throws BadLineException, IOException {
        JsonParser json = line.token();
        boolean isLong =
                value == JsonToken.VALUE_NUMBER_INT && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        long number = isLong ? json.getLongValue() : min;
        if (!isLong || number < min || number > max) {
            wrong(
                    BadLineException.Fault.LINE,
                    '"' + key + "\": expected a whole number from " + min + " to " + max + ", found "
                            + describe(value));
            line.skip(value);
            return min;
        }
        return number;
    }

    private boolean string(String key, JsonToken value) throws BadLineException {
        if (value == JsonToken.VALUE_STRING) {
            return true;
        }
        wrong(BadLineException.Fault.LINE, '"' + key + "\": expected a string, found " + describe(value));
        line.skip(value);
        return false;
    }

    private String describe(JsonToken value) {
        return FieldsReader.describe(value, line.token());
    }

    /** Notes an error; only the first one is reported. */
    private void wrong(BadLineException.Fault what, String words) {
        if (problem.isEmpty()) {
            fault = what;
            problem = words;
        }
    }

    private Kind kind() {
        int kinds = seen & (TOPIC | TEXT | DEFINE);
        if (seen == ID) {
            return Kind.QUESTION;
        }
        if (Integer.bitCount(kinds) != 1) {
            wrong(
                    BadLineException.Fault.LINE,
                    "a line has one of \"topic\", \"text\" and \"define\", found " + (kinds == 0 ? "none" : "several"));
            return Kind.SAMPLE;
        }
        int allowed = kinds == TOPIC ? OF_SAMPLE : kinds == TEXT ? OF_TEXT : OF_DEFINE;
        if ((seen & ~allowed) != 0) {
            wrong(
                    BadLineException.Fault.LINE,
                    names(seen & ~allowed) + " cannot be combined with " + names(kinds) + ", allowed: "
                            + names(allowed));
        }
        if (kinds != TEXT && (seen & FIELDS) == 0) {
            wrong(BadLineException.Fault.LINE, "\"fields\" is missing");
        }
        if (kinds == TEXT && text.isEmpty()) {
            wrong(BadLineException.Fault.LINE, "the text is empty");
        }
        return kinds == TOPIC ? Kind.SAMPLE : kinds == TEXT ? Kind.TEXT : Kind.DEFINITION;
    }

    /** Reads a line again whose topic is new, or comes after its fields. */
    private void readAgain(byte[] bytes, int offset, int length) throws BadLineException {
        PublishedTopic known = topic;
        if (known == null) {
            known = topics.known(name);
        }
        if (known == null) {
            topics.checkInference(name);
            known = topics.define(definitions.infer(bytes, offset, length, name));
        }
        topic = known;
        line.begin(bytes, offset, length);
        String found = "";
        while (line.next() == JsonToken.FIELD_NAME) {
            boolean isFields = definitions.isKey("fields");
            JsonToken value = line.next();
            if (isFields) {
                found = fields.read(known);
            } else {
                line.skip(value);
            }
        }
        line.end();
        if (!found.isEmpty()) {
            throw new BadLineException(BadLineException.Fault.FIELDS, found);
        }
    }

    private static int bit(String key) {
        return switch (key) {
            case "topic" -> 1;
            case "fields" -> 1 << 1;
            case "time" -> 1 << 2;
            case "time_ns" -> 1 << 3;
            case "utc" -> 1 << 4;
            case "instance" -> 1 << 5;
            case "text" -> 1 << 6;
            case "level" -> 1 << 7;
            case "tag" -> 1 << 8;
            case "define" -> 1 << 9;
            case "units" -> 1 << 10;
            default -> 1 << 11;
        };
    }

    private static String names(int bits) {
        return String.join(
                ", ", KEYS.stream().filter(key -> (bit(key) & bits) != 0).toList());
    }

    /** The topic of a sample or a definition. */
    PublishedTopic topic() {
        PublishedTopic known = topic;
        if (known == null) {
            throw new IllegalStateException("no topic in this line");
        }
        return known;
    }

    int instance() {
        return instance;
    }

    /** The monotonic time of the sample or message. */
    long takenNs() {
        return takenNs;
    }

    String text() {
        return text;
    }

    LogLevel level() {
        return level;
    }

    int tag() {
        return tag;
    }

    /** Whether the line has a time; else the time of its arrival is used. */
    boolean hasTime() {
        return (seen & TIMES) != 0;
    }

    /** Whether the sender asks for an answer. */
    boolean hasId() {
        return (seen & ID) != 0;
    }

    long id() {
        return id;
    }

    /** Clears the id: the next data is not a line. */
    void forgetId() {
        seen = 0;
    }
}
