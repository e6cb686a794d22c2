package org.mavlogd.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/**
 * The type of a key's values: how they are read, and which are allowed.
 *
 * @param <T> the type of a read value
 */
interface ValueType<T> {
    /** Reads a value from the TOML parser. */
    T read(Object value) throws BadValueException;

    /** The allowed values, for messages and documents: {@code a whole number from 0 to 255}. */
    String allowed();

    /** The allowed values as a JSON Schema, as far as possible, for editors; by default a string. */
    default Map<String, Object> schema() {
        return TEXT;
    }

    Map<String, Object> TEXT = Map.of("type", "string");

    ValueType<Boolean> BOOL = of("true or false", Map.of("type", "boolean"), value -> {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw wrongType("true or false", value);
    });

    ValueType<Path> DIRECTORY = of("a path in quotes", value -> path(string(value)));

    ValueType<String> STRING = of("a string in quotes", ValueType::string);

    /** Whether the tag exists is checked where tags are known. */
    ValueType<String> TAG_OR_EMPTY = of("the name of a tag, or \"\" for none", ValueType::string);

    ValueType<String> ABSOLUTE_PATH = of("an absolute path in quotes", value -> {
        String text = string(value);
        if (!path(text).isAbsolute()) {
            throw new BadValueException(Quoted.text(text) + " is not an absolute path");
        }
        return text;
    });

    /** Reads one value; the allowed values are declared beside it. */
    interface Reader<T> {
        T read(Object value) throws BadValueException;
    }

    static <T> ValueType<T> of(String allowed, Reader<T> reader) {
        return of(allowed, TEXT, reader);
    }

    static <T> ValueType<T> of(String allowed, Map<String, Object> schema, Reader<T> reader) {
        return new ValueType<>() {
            @Override
            public T read(Object value) throws BadValueException {
                return reader.read(value);
            }

            @Override
            public String allowed() {
                return allowed;
            }

            @Override
            public Map<String, Object> schema() {
                return schema;
            }
        };
    }

    static ValueType<Integer> range(int min, int max) {
        return of(
                "a whole number from " + min + " to " + max,
                Map.of("type", "integer", "minimum", min, "maximum", max),
                value -> inRange(value, min, max));
    }

    static ValueType<Integer> powerOfTwo(int min, int max) {
        List<Integer> powers = IntStream.rangeClosed(min, max)
                .filter(number -> Integer.bitCount(number) == 1)
                .boxed()
                .toList();
        return of("a power of two from " + min + " to " + max, Map.of("enum", powers), value -> {
            int number = inRange(value, min, max);
            if (Integer.bitCount(number) != 1) {
                throw new BadValueException(number + " is not a power of two");
            }
            return number;
        });
    }

    static ValueType<String> matching(Pattern pattern, String allowed) {
        // A schema looks for a pattern anywhere in a string.
        return of(allowed, Map.of("type", "string", "pattern", "^(?:" + pattern.pattern() + ")$"), value -> {
            String text = string(value);
            if (!pattern.matcher(text).matches()) {
                throw new BadValueException(Quoted.text(text) + " is not valid");
            }
            return text;
        });
    }

    /**
     * The names of an enum's constants in lower case; {@code warn} is accepted for {@code warning}, as on command
     * lines.
     */
    static <E extends Enum<E>> ValueType<E> oneOf(List<E> choices) {
        String allowed =
                choices.stream().map(choice -> '"' + word(choice) + '"').collect(Collectors.joining(" or "));
        List<String> words = Stream.concat(
                        choices.stream().map(ValueType::word),
                        choices.stream()
                                .map(ValueType::word)
                                .filter("warning"::equals)
                                .map(word -> "warn"))
                .toList();
        return of(allowed, Map.of("enum", words), value -> {
            String text = string(value);
            String name = text.equals("warn") ? "warning" : text;
            for (E choice : choices) {
                if (word(choice).equals(name)) {
                    return choice;
                }
            }
            throw new BadValueException(Quoted.text(text) + " is not one of the choices");
        });
    }

    /** An array of at most {@code max} values of one type. */
    static <T> ValueType<List<T>> listOf(ValueType<T> element, int max, String allowed) {
        Map<String, Object> schema = Map.of("type", "array", "items", element.schema(), "maxItems", max);
        return of(allowed, schema, value -> {
            if (!(value instanceof TomlArray array)) {
                throw wrongType("an array", value);
            }
            if (array.size() > max) {
                throw new BadValueException("has " + array.size() + " elements");
            }
            List<T> elements = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                elements.add(element.read(array.get(i)));
            }
            return List.copyOf(elements);
        });
    }

    /** A table of at most {@code max} values of one type, whose names match. */
    static <T> ValueType<Map<String, T>> tableOf(
            Predicate<String> isName, ValueType<T> element, int max, String allowed) {
        Map<String, Object> schema =
                Map.of("type", "object", "additionalProperties", element.schema(), "maxProperties", max);
        return of(allowed, schema, value -> {
            if (!(value instanceof TomlTable table)) {
                throw wrongType("a table", value);
            }
            if (table.size() > max) {
                throw new BadValueException("has " + table.size() + " entries");
            }
            Map<String, T> elements = new TreeMap<>();
            for (String key : table.keySet()) {
                if (!isName.test(key)) {
                    throw new BadValueException(Quoted.text(key) + " is not valid");
                }
                elements.put(key, element(element, key, table.get(List.of(key))));
            }
            return Map.copyOf(elements);
        });
    }

    private static <T> T element(ValueType<T> type, String key, @Nullable Object value) throws BadValueException {
        if (value == null) {
            throw new BadValueException(Quoted.text(key) + " has no value");
        }
        try {
            return type.read(value);
        } catch (BadValueException e) {
            throw new BadValueException(Quoted.text(key) + ": " + e.getMessage(), e);
        }
    }

    static ValueType<HostPort> hostPort(int minPort) {
        return of(
                "\"host:port\" with a port from " + minPort + " to 65535, IPv6 in brackets",
                value -> HostPort.parse(string(value), minPort));
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String string(Object value) throws BadValueException {
        if (value instanceof String text) {
            return text;
        }
        throw wrongType("a string in quotes", value);
    }

    /** Describes a value for messages: {@code the string "7"}. */
    static String describe(Object value) {
        if (value instanceof String text) {
            return "the string " + Quoted.text(text);
        }
        if (value instanceof Long) {
            return "the whole number " + value;
        }
        if (value instanceof Double) {
            return "the number " + value;
        }
        if (value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof TomlArray) {
            return "an array";
        }
        if (value instanceof TomlTable) {
            return "a table";
        }
        return "a date or time";
    }

    private static BadValueException wrongType(String wanted, Object value) {
        return new BadValueException("expected " + wanted + ", found " + describe(value));
    }

    private static int inRange(Object value, int min, int max) throws BadValueException {
        if (!(value instanceof Long number)) {
            throw wrongType("a whole number", value);
        }
        if (number < min || number > max) {
            throw new BadValueException(number + " is out of range");
        }
        return number.intValue();
    }

    private static Path path(String text) throws BadValueException {
        if (text.isEmpty()) {
            throw new BadValueException("the path is empty");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Quoted.text(text) + " cannot be a path", e);
        }
    }

    /** A value of the right TOML type that the key does not accept; the message has the reason. */
    final class BadValueException extends Exception {
        private static final long serialVersionUID = 1;

        BadValueException(String message) {
            super(message);
        }

        BadValueException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
