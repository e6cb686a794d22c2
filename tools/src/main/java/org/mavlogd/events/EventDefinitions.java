package org.mavlogd.events;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mavlogd.ulog.FieldType;

/**
 * The definitions of events, by number. Reads two layouts of the JSON: lists of components, groups, events and entries,
 * as PX4's build creates them, and objects by number and name, as in a log.
 */
final class EventDefinitions {
    static final EventDefinitions NONE = new EventDefinitions();

    private static final int MAX_DEPTH = 20;
    private static final int COMPONENT_SHIFT = 24;
    private static final long SUB_ID = 0xFF_FFFF;

    /** An event; {@code template} is its message with placeholders for arguments. */
    record Definition(String template, boolean isSummary, List<Argument> arguments) {}

    /** An argument: a number, or a name of an enumeration. */
    record Argument(FieldType type, Optional<Enumeration> enumeration) {}

    /** Names of values, or of single bits. */
    record Enumeration(FieldType type, boolean isBitfield, Map<Long, String> names) {}

    /** An event that is not parsed yet: only few of those that a log defines occur. */
    private record Unread(String namespace, Node event) {}

    private final Map<Long, Unread> events = new HashMap<>();
    private final Map<String, Node> enumerations = new HashMap<>();
    // Each is parsed once, however often it is requested.
    private final Map<Long, Optional<Definition>> readEvents = new HashMap<>();
    private final Map<String, Optional<Enumeration>> readEnumerations = new HashMap<>();

    private EventDefinitions() {}

    /**
     * Reads definitions; unusable ones are omitted.
     *
     * @throws IOException if it is not JSON
     */
    static EventDefinitions read(byte[] json) throws IOException {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .build();
        EventDefinitions definitions = new EventDefinitions();
        try (JsonParser parser = factory.createParser(json)) {
            parser.nextToken();
            List<Node> components = new Node("", value(parser)).children("components");
            components.forEach(definitions::addEnumerations);
            components.forEach(definitions::addEvents);
        }
        return definitions;
    }

    /** @param id as in the log, unsigned 32 bits */
    Optional<Definition> event(long id) {
        Unread unread = events.get(id);
        return unread == null ? Optional.empty() : readEvents.computeIfAbsent(id, key -> definition(unread));
    }

    private void addEnumerations(Node component) {
        for (Node each : component.children("enums")) {
            enumerations.put(component.text("namespace") + "::" + each.name(), each);
        }
    }

    private void addEvents(Node component) {
        Optional<Long> componentId = component.number("component_id");
        if (componentId.isEmpty()) {
            return;
        }
        for (Node group : component.children("event_groups")) {
            for (Node event : group.children("events")) {
                event.number("sub_id").ifPresent(subId -> {
                    long id = ((componentId.get() & 0xFF) << COMPONENT_SHIFT) | (subId & SUB_ID);
                    events.putIfAbsent(id, new Unread(component.text("namespace"), event));
                });
            }
        }
    }

    private Optional<Definition> definition(Unread unread) {
        Node event = unread.event;
        List<Argument> arguments = new ArrayList<>();
        for (Node each : event.children("arguments")) {
            Optional<Argument> argument = argument(unread.namespace, each.text("type"));
            if (argument.isEmpty()) {
                return Optional.empty();
            }
            arguments.add(argument.get());
        }
        return Optional.of(
                new Definition(event.text("message"), event.text("type").equals("summary"), List.copyOf(arguments)));
    }

    private Optional<Argument> argument(String namespace, String type) {
        Optional<FieldType> basic = FieldType.of(type);
        if (basic.isPresent()) {
            return Optional.of(new Argument(basic.get(), Optional.empty()));
        }
        String name = type.contains("::") ? type : namespace + "::" + type;
        return enumeration(name).map(enumeration -> new Argument(enumeration.type, Optional.of(enumeration)));
    }

    private Optional<Enumeration> enumeration(String name) {
        Node node = enumerations.get(name);
        return node == null ? Optional.empty() : readEnumerations.computeIfAbsent(name, key -> enumeration(node));
    }

    private static Optional<Enumeration> enumeration(Node node) {
        return FieldType.of(node.text("type")).filter(FieldType::isInteger).map(type -> {
            Map<Long, String> names = new HashMap<>();
            for (Node entry : node.children("entries")) {
                entry.number("value")
                        .ifPresent(value ->
                                names.put(value, entry.text(entry.has("description") ? "description" : "name")));
            }
            return new Enumeration(type, node.isTrue("is_bitfield"), names);
        });
    }

    /** Returns objects as maps, arrays as lists, everything else as text. */
    private static Object value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                object.put(name, value(parser));
            }
            return object;
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(value(parser));
            }
            return list;
        }
        String text = parser.getText();
        return text == null ? "" : text;
    }

    /**
     * An object of the JSON.
     *
     * @param key of the object; empty in a list
     */
    private record Node(String key, Object value) {
        boolean has(String name) {
            return value instanceof Map<?, ?> map && map.containsKey(name);
        }

        String text(String name) {
            return value instanceof Map<?, ?> map && map.get(name) instanceof String text ? text : "";
        }

        boolean isTrue(String name) {
            return text(name).equals("true");
        }

        String name() {
            return has("name") ? text("name") : key;
        }

        /** An integer, or the object's key in its place. */
        Optional<Long> number(String name) {
            try {
                return Optional.of(Long.decode(has(name) ? text(name) : key));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }

        List<Node> children(String name) {
            List<Node> children = new ArrayList<>();
            Object all = value instanceof Map<?, ?> map ? map.get(name) : null;
            if (all instanceof Map<?, ?> map) {
                map.forEach((childKey, child) -> children.add(new Node(String.valueOf(childKey), child)));
            } else if (all instanceof List<?> list) {
                list.forEach(child -> children.add(new Node("", child)));
            }
            return children;
        }
    }
}
