package org.mavlogd.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.mavlogd.local.TagSettings;
import org.mavlogd.local.TextLimits;
import org.mavlogd.tags.TagMap;

/** Section {@code [tags]}: names of tagged texts, and how many of them there may be. Other sections name its tags. */
final class TagsSection {
    private static final Key<Map<String, Integer>> IDS = Key.withDefault(
            "ids",
            Map.of(),
            "{}",
            ValueTypes.tableOf(
                    TagMap::isName,
                    ValueTypes.range(0, TagMap.MAX_ID),
                    TagMap.MAX_SET,
                    "a table of up to " + TagMap.MAX_SET + " names (" + TagMap.NAME_RULE
                            + ") and whole numbers from 0 to " + TagMap.MAX_ID + ", each number once"),
            "tags besides the ten of the ULog specification, or other numbers for those");
    private static final Key<Integer> MAX_PER_S = Key.integer(
            "max_per_s", 20, ValueTypes.range(1, 10_000), "texts a second that each source may publish under each tag");
    private static final Key<Integer> BURST = Key.integer(
            "burst", 200, ValueTypes.range(1, 100_000), "texts that each source may publish at once under each tag");

    static final Section SECTION = Section.table("tags", "the names of tagged texts", IDS, MAX_PER_S, BURST);

    private TagsSection() {}

    static TagSettings read(SectionReader section) {
        Map<String, Integer> ids = section.value(IDS);
        Optional<String> problem = TagMap.problem(ids);
        if (problem.isPresent()) {
            section.problem(IDS, problem.get(), IDS.type().allowed());
        }
        return new TagSettings(
                problem.isPresent() ? TagMap.DEFAULT : TagMap.of(ids),
                new TextLimits(section.value(MAX_PER_S), section.value(BURST)));
    }

    /** The numbers of a table of tag names; invalid names are reported. */
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
