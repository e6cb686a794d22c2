package org.mavlogd.ulog;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of the ULog format. Each check throws an exception that names the message and the broken rule. */
final class WriterRules {
    /** Longer texts are legal, but some readers refuse them. */
    static final int MAX_TEXT_BYTES = 65_000;

    private WriterRules() {}

    static void require(boolean kept, String message, String name, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(message + " \"" + name + "\": " + rule);
        }
    }

    static void checkFormat(TopicFormat format) {
        String message = "'F' message";
        String name = format.name();
        require(Names.isMessageName(name), message, name, "a name has the characters a-z A-Z 0-9 _ - /");
        require(FieldType.of(name).isEmpty(), message, name, "a name differs from the basic types");
        require(!format.fields().isEmpty(), message, name, "at least one field");
        Set<String> names = new HashSet<>();
        for (Field field : format.fields()) {
            String place = name + "." + field.name();
            require(Names.isFieldName(field.name()), message, place, "a field has the characters a-z A-Z 0-9 _");
            require(names.add(field.name()), message, place, "the fields of a format differ in name");
            require(
                    field.basicType().isPresent() || Names.isMessageName(field.type()),
                    message,
                    place,
                    "a type is a basic one or the name of a format");
            require(field.count() > 0, message, place, "an array has at least one element");
        }
    }

    static TopicLayout checkTopic(TopicFormat format, Map<String, TopicFormat> formats) {
        String message = "'A' message";
        List<Field> fields = format.fields();
        require(
                fields.stream().anyMatch(f -> f.equals(Field.of(FieldType.UINT64, "timestamp"))),
                message,
                format.name(),
                "a topic has the field \"uint64_t timestamp\"");
        try {
            return TopicLayout.of(format, formats);
        } catch (ULogException refused) {
            throw new IllegalArgumentException(
                    message + " \"" + format.name() + "\": " + refused.getMessage(), refused);
        }
    }

    static void checkKeyName(String message, String name) {
        require(Names.isMessageName(name), message, name, "a key has the characters a-z A-Z 0-9 _ - /");
        require(name.length() <= 240, message, name, "a key with its type takes at most 255 bytes");
    }

    static void checkKeyType(String message, Field key, int valueLength) {
        FieldType type = key.basicType()
                .orElseThrow(() -> new IllegalArgumentException(
                        message + " \"" + key.text() + "\": the type is a basic one or an array of it"));
        require(key.count() > 0, message, key.text(), "an array has at least one element");
        require(
                valueLength == key.count() * type.length(),
                message,
                key.text(),
                "the value of " + valueLength + " bytes has not the declared length");
    }

    static void checkText(String message, String name, CharSequence text, int maxBytes) {
        require(!text.isEmpty(), message, name, "a text is not empty");
        require(Utf8.length(text) <= maxBytes, message, name, "the text exceeds " + maxBytes + " bytes");
    }

    static void checkLogged(String message, CharSequence text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(message + ": a text is not empty");
        }
        if (Utf8.length(text) > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(message + ": the text exceeds " + MAX_TEXT_BYTES + " bytes");
        }
    }
}
