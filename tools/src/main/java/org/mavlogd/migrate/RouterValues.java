package org.mavlogd.migrate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.mavlogd.migrate.RouterFile.Section;
import org.mavlogd.migrate.RouterFile.Value;

/** Reads the values of one section by type; errors are added to the file's problems. */
final class RouterValues {
    /** Maximum entries of a list in our configuration. */
    private static final int MAX_IDS = 256;

    private final RouterFile file;
    private final Section section;
    private final Set<String> read = new HashSet<>();

    RouterValues(RouterFile file, Section section) {
        this.file = file;
        this.section = section;
    }

    Optional<Value> value(String key) {
        String small = key.toLowerCase(Locale.ROOT);
        read.add(small);
        return Optional.ofNullable(section.values().get(small));
    }

    Optional<Value> required(String key) {
        Optional<Value> value = value(key);
        if (value.isEmpty()) {
            file.problem(section.line(), key + " is missing in [" + section.kind() + ' ' + section.name() + ']');
        }
        return value;
    }

    /** Reads a number as strtoul does: 0x starts a hexadecimal one. */
    OptionalLong number(String key, long least, long most) {
        Optional<Value> value = value(key);
        return value.isPresent()
                ? number(value.get(), value.get().text(), Long::decode, least, most)
                : OptionalLong.empty();
    }

    private OptionalLong number(Value value, String text, ToLongFunction<String> reader, long least, long most) {
        try {
            long number = reader.applyAsLong(text);
            if (number >= least && number <= most) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        wrong(value, text, "a whole number from " + least + " to " + most);
        return OptionalLong.empty();
    }

    boolean bool(String key) {
        Optional<Value> value = value(key);
        String text = value.map(set -> set.text().toLowerCase(Locale.ROOT)).orElse("false");
        if (!Set.of("true", "false", "1", "0").contains(text)) {
            wrong(value.orElseThrow(), text, "true, false, 1 or 0");
        }
        return text.equals("true") || text.equals("1");
    }

    /** Translates one of several words. */
    Optional<String> word(String key, Map<String, String> meanings) {
        Optional<Value> value = value(key);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        String meaning = meanings.get(value.get().text().toLowerCase(Locale.ROOT));
        if (meaning == null) {
            wrong(
                    value.get(),
                    value.get().text(),
                    String.join(", ", meanings.keySet().stream().sorted().toList()));
        }
        return Optional.ofNullable(meaning);
    }

    /**
     * Reads decimal numbers separated by commas, as atoi reads them; empty if the key is not set. An empty entry is an
     * error.
     */
    List<Long> numbers(String key, long least, long most) {
        List<Long> numbers = new ArrayList<>();
        value(key).ifPresent(value -> {
            Stream.of(value.text().split(","))
                    .map(String::strip)
                    .filter(item -> !item.isEmpty())
                    .forEach(item ->
                            number(value, item, Long::parseLong, least, most).ifPresent(numbers::add));
            if (numbers.size() > MAX_IDS) {
                wrong(value, numbers.size() + " numbers", "at most " + MAX_IDS);
            }
        });
        return numbers;
    }

    void wrong(Value value, String text, String allowed) {
        file.problem(value.line(), value.key() + ": " + RouterFile.quoted(text) + " is not allowed: " + allowed);
    }

    /** Keys that were not read. */
    List<Value> unknown() {
        return section.values().entrySet().stream()
                .filter(entry -> !read.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }
}
