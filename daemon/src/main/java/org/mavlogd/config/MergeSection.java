package org.mavlogd.config;

import java.util.List;
import java.util.regex.Pattern;
import org.mavlogd.record.files.RecordSettings;
import org.mavlogd.record.files.RecordSettings.Merge.NewTopics;

/** Section {@code [local]}: how this computer's own topics and texts go into logs. */
final class MergeSection {
    private static final long KIBI = 1 << 10;

    private static final Key<Integer> MAX_KIB_PER_S = Key.integer(
            "max_kib_per_s",
            4096,
            ValueTypes.range(1, 1_048_576),
            "KiB per second that all local sources together may write; what is more they lose themselves");
    private static final Key<String> PREFIX = Key.string(
            "prefix",
            "companion_",
            ValueTypes.matching(
                    Pattern.compile("[a-zA-Z][a-zA-Z0-9_]{0,30}_"),
                    "2 to 32 letters, digits and \"_\", beginning with a letter and ending with \"_\""),
            "goes before the name of a local topic that the vehicle's log has with other fields");
    private static final Key<NewTopics> NEW_TOPICS = Key.choice(
            "new_topics",
            NewTopics.NEW_FILE,
            List.of(NewTopics.values()),
            "a topic that appears while a log is being written starts a new file of that log, or waits for its next file; its samples are kept until then, up to 1 MiB");

    static final Section SECTION = Section.table(
            "local", "how this computer's own topics and texts go into logs", MAX_KIB_PER_S, PREFIX, NEW_TOPICS);

    private MergeSection() {}

    static RecordSettings.Merge read(SectionReader section) {
        return new RecordSettings.Merge(
                section.value(MAX_KIB_PER_S) * KIBI, section.value(PREFIX), section.value(NEW_TOPICS));
    }
}
