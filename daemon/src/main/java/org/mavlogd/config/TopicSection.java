package org.mavlogd.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.mavlogd.local.publish.TopicDefinition;

/** Sections {@code [[topic]]}: the formats of topics that other programs publish. */
final class TopicSection {
    private static final int MAX_TOPICS = 256;
    private static final Pattern WORDS = Pattern.compile("\\s+");
    private static final int TYPE = 0;
    private static final int FIELD = 1;
    private static final int UNIT = 2;

    private static final Key<String> NAME = Key.withoutDefault(
            "name",
            "",
            ValueTypes.matching(
                    Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,126}"), "letters, digits and \"_\", a letter first"),
            "how the topic is called; each name once");
    private static final Key<List<String>> FIELDS = Key.withoutDefault(
            "fields",
            List.of(),
            ValueTypes.listOf(
                    ValueTypes.matching(Pattern.compile("\\s*\\S+\\s+\\S+.*"), "\"type name\" or \"type name unit\""),
                    TopicDefinition.MAX_FIELDS,
                    "an array of up to " + TopicDefinition.MAX_FIELDS + " \"type name\" or \"type name unit\""),
            "its fields in order, as in \"float load kg\", \"uint8_t[4] state\" or \"char[16] name\"");

    static final Section SECTION = Section.list("topic", "a topic that other programs publish", NAME, FIELDS);

    private TopicSection() {}

    static List<TopicDefinition> read(ConfigFile file) {
        List<SectionReader> readers = file.list(SECTION);
        if (readers.size() > MAX_TOPICS) {
            readers.get(MAX_TOPICS)
                    .excess("topic", readers.size() + " are too many", "up to " + MAX_TOPICS + " " + SECTION.header());
        }
        Set<String> names = new HashSet<>();
        List<TopicDefinition> topics = new ArrayList<>();
        for (SectionReader reader : readers) {
            reader.require(NAME);
            reader.require(FIELDS);
            if (reader.hasGood(NAME) && reader.hasGood(FIELDS)) {
                add(reader, names, topics);
            }
        }
        return topics;
    }

    private static void add(SectionReader reader, Set<String> names, List<TopicDefinition> topics) {
        String name = reader.value(NAME);
        if (!names.add(name)) {
            reader.problem(NAME, "is taken by another topic", "one that no other topic has");
            return;
        }
        try {
            TopicDefinition.Builder builder = new TopicDefinition.Builder(name);
            for (String field : reader.value(FIELDS)) {
                String[] words = WORDS.split(field.strip(), UNIT + 1);
                builder.field(words[TYPE], words[FIELD]).unit(words[FIELD], words.length > UNIT ? words[UNIT] : "");
            }
            topics.add(builder.build());
        } catch (IllegalArgumentException e) {
            reader.problem(FIELDS, String.valueOf(e.getMessage()), FIELDS.type().allowed());
        }
    }
}
