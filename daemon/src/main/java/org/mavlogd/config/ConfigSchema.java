package org.mavlogd.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * The table of all keys as a JSON Schema (draft 7), by which editors complete and check a configuration. It contains
 * sections, keys, types, ranges and defaults, but neither dependencies between keys nor the state of this computer,
 * which {@code mavlogd run --check-config} checks.
 */
public final class ConfigSchema {
    private static final String TYPE = "type";
    private static final String DESCRIPTION = "description";
    private static final String OBJECT = "object";

    private ConfigSchema() {}

    /** The text of the schema, always the same. */
    public static String json() {
        Map<String, Object> sections = new TreeMap<>();
        for (Section section : Settings.SECTIONS) {
            sections.put(section.name(), schema(section));
        }
        Map<String, Object> schema = new TreeMap<>(Map.of(
                "$schema",
                "http://json-schema.org/draft-07/schema#",
                "title",
                "configuration of mavlogd",
                TYPE,
                OBJECT,
                "additionalProperties",
                false,
                "properties",
                sections));
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            write(json, schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringWriter throws none
        }
        return text.append('\n').toString();
    }

    private static Map<String, Object> schema(Section section) {
        Map<String, Object> keys = new TreeMap<>();
        for (Key<?> key : section.keys()) {
            keys.put(key.name(), schema(key));
        }
        Map<String, Object> table = new TreeMap<>(
                Map.of(TYPE, OBJECT, "additionalProperties", false, "properties", keys, DESCRIPTION, section.why()));
        return section.shape() == Section.Shape.LIST
                ? new TreeMap<>(Map.of(TYPE, "array", "items", table, DESCRIPTION, section.why()))
                : table;
    }

    private static Map<String, Object> schema(Key<?> key) {
        Map<String, Object> schema = new TreeMap<>(key.type().schema());
        schema.put(DESCRIPTION, key.why() + " (" + key.type().allowed() + ")");
        key.defaultToml().ifPresent(toml -> schema.put("default", value(toml)));
        return schema;
    }

    private static Object value(String toml) {
        Object value = ConfigFile.parse("value = " + toml).get("value");
        if (value == null) {
            throw new IllegalStateException("default " + toml + " is not TOML");
        }
        return value;
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof TomlArray array) {
            write(json, array.toList());
        } else if (value instanceof TomlTable table) {
            write(json, table.toMap());
        } else if (value instanceof List<?> elements) {
            json.writeStartArray();
            for (Object element : elements) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?> fields) {
            json.writeStartObject();
            for (Map.Entry<?, ?> field : new TreeMap<>(fields).entrySet()) {
                json.writeFieldName(String.valueOf(field.getKey()));
                write(json, field.getValue());
            }
            json.writeEndObject();
        } else {
            json.writeObject(value);
        }
    }
}
