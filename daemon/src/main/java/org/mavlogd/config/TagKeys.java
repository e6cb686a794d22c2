package org.mavlogd.config;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.mavlogd.tags.TagMap;

/** Keys whose values are names of tags: they become the tags' numbers. */
final class TagKeys {
    private TagKeys() {}

    /** The numbers of a table of tag names; names that are none are told of. */
    static Map<String, Integer> numbers(SectionReader section, Key<Map<String, String>> key, TagMap tags) {
        Map<String, Integer> numbers = new HashMap<>();
        section.value(key)
                .forEach((from, name) ->
                        number(section, key, name, tags).ifPresent(number -> numbers.put(from, number)));
        return numbers;
    }

    /** The number of a tag name; none for "". */
    static OptionalInt number(SectionReader section, Key<?> key, String name, TagMap tags) {
        if (name.isEmpty()) {
            return OptionalInt.empty();
        }
        OptionalInt number = tags.id(name);
        if (number.isEmpty()) {
            String allowed = tags.names().values().stream().collect(Collectors.joining(", "));
            section.problem(key, Quoted.text(name) + " is not a tag", allowed);
        }
        return number;
    }
}
