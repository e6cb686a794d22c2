package org.mavlogd.config;

import java.util.Map;
import java.util.Optional;
import org.mavlogd.local.TextLimits;
import org.mavlogd.tags.TagMap;

/** Section {@code [tags]}: names of tagged texts, and how many of them there may be. */
public record TagsSection(TagMap tags, TextLimits limits) {
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

    static TagsSection read(SectionReader section) {
        Map<String, Integer> ids = section.value(IDS);
        Optional<String> problem = TagMap.problem(ids);
        if (problem.isPresent()) {
            section.problem(IDS, problem.get(), IDS.type().allowed());
        }
        return new TagsSection(
                problem.isPresent() ? TagMap.DEFAULT : TagMap.of(ids),
                new TextLimits(section.value(MAX_PER_S), section.value(BURST)));
    }
}
