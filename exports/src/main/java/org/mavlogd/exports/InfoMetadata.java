package org.mavlogd.exports;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mavlogd.mcap.MessageSink;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;

/**
 * Collects a log's infos, strings and numbers, for the metadata record {@code info}. Continued pieces of a list are
 * joined; further lists of the same name get a number, as in {@code perf_counter_preflight[1]}. Infos of other types,
 * such as compressed files, are omitted. If there are very many infos, which no real log has, several records of that
 * name are written.
 */
final class InfoMetadata {
    private static final String NAME = "info";
    private static final int MAX_CHARS = 512 * 1024;
    private static final int ENTRY_CHARS = 32;

    private final MessageSink sink;
    private final Map<String, StringBuilder> values = new LinkedHashMap<>();
    private final Map<String, Integer> lists = new HashMap<>();
    private int chars;

    InfoMetadata(MessageSink sink) {
        this.sink = sink;
    }

    void add(KeyedValue info) throws IOException {
        if (isPrintable(info)) {
            put(info.name(), text(info), false);
        }
    }

    void add(KeyedValue piece, boolean continued) throws IOException {
        if (!isPrintable(piece)) {
            return;
        }
        int list = lists.merge(piece.name(), continued ? 0 : 1, Integer::sum);
        put(list <= 1 ? piece.name() : piece.name() + "[" + (list - 1) + "]", text(piece), continued);
    }

    /** Writes the collected infos. */
    void finish() throws IOException {
        if (!values.isEmpty()) {
            Map<String, String> texts = new LinkedHashMap<>();
            values.forEach((name, value) -> texts.put(name, value.toString()));
            sink.metadata(NAME, texts);
            values.clear();
            chars = 0;
        }
    }

    private void put(String name, String text, boolean append) throws IOException {
        chars += name.length() + text.length() + ENTRY_CHARS;
        StringBuilder value = values.computeIfAbsent(name, key -> new StringBuilder());
        if (!append) {
            value.setLength(0);
        }
        value.append(text);
        if (chars > MAX_CHARS) {
            lists.clear();
            finish();
        }
    }

    private static boolean isPrintable(KeyedValue info) {
        return info.isText() || (!info.key().isArray() && info.key().basicType().isPresent());
    }

    private static String text(KeyedValue info) {
        if (info.isText()) {
            return info.text();
        }
        FieldType type = info.key().basicType().orElseThrow();
        return switch (type) {
            case FLOAT -> Float.toString((float) info.number());
            case DOUBLE -> Double.toString(info.number());
            case UINT64 -> Long.toUnsignedString(info.integer());
            case BOOL -> info.integer() != 0 ? "true" : "false";
            case CHAR -> info.text();
            default -> Long.toString(info.integer());
        };
    }
}
