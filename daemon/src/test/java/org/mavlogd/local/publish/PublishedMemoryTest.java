package org.mavlogd.local.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.local.Outlet;
import org.mavlogd.memory.MemoryBudget;
import org.mavlogd.memory.Requester;
import org.mavlogd.metrics.Metrics;

/** Definitions within the limits of each topic, for more memory than there is. */
class PublishedMemoryTest {
    private static final long BUDGET = 21 << 20;
    private static final long TOLERANCE = 1 << 20;

    private final MemoryBudget memory = new MemoryBudget(BUDGET);
    private final LocalFeed feed = new LocalFeed("publish", 1 << 16, memory.share(Requester.LOCAL_SOURCE));
    private final PublishedTopics topics =
            new PublishedTopics(new Outlet("publish", feed.publisher(), new Metrics()), new FormatClaims(), true, 1);

    private static TopicDefinition definition(int number, int fields, int nameLength) {
        TopicDefinition.Builder builder = new TopicDefinition.Builder("topic_" + number);
        for (int i = 0; i < fields; i++) {
            builder.field("uint8_t", String.format("f%0" + (nameLength - 1) + "d", i));
        }
        return builder.build();
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private int define(int fields, int nameLength) {
        int defined = 0;
        for (int i = 0; i < 384; i++) {
            try {
                topics.define(definition(i, fields, nameLength));
                defined++;
            } catch (BadLineException e) {
                assertThat(e.text()).contains("the memory budget has no room for it");
            }
        }
        return defined;
    }

    @Test
    void topicsOfManyFieldsTakeNoMoreThanTheirPartOfTheBudget() {
        long before = usedBytes();

        int defined = define(256, 50);

        assertThat(defined).isBetween(5, 383);
        assertThat(usedBytes() - before).isLessThan(memory.used() + TOLERANCE);
        assertThat(memory.used()).isLessThanOrEqualTo(BUDGET / 8);
        assertThat(feed.topics()).hasSize(defined);
    }

    @Test
    void manySmallTopicsTakeNoMoreThanTheirPartOfTheBudget() {
        long before = usedBytes();

        int defined = define(4, 8);

        assertThat(defined).isEqualTo(384);
        assertThat(usedBytes() - before).isLessThan(memory.used() + TOLERANCE);
    }

    /** The parser keeps the names of fields, known or not. */
    @Test
    void namesOfUnknownFieldsTakeLittleMemory() {
        Hearing hearing = new Hearing(Hearing.winch());
        long before = usedBytes();

        for (int line = 0; line < 150; line++) {
            StringBuilder fields = new StringBuilder();
            for (int i = 0; i < 490; i++) {
                fields.append(String.format("%s\"f%0125d\":1", i == 0 ? "" : ",", line * 490 + i));
            }
            hearing.say("{\"topic\":\"winch\",\"fields\":{" + fields + "}}");
        }

        assertThat(usedBytes() - before).isLessThan(TOLERANCE);
        assertThat(hearing.counted("publish_bad_lines_total")).isEqualTo(150);
    }

    @Test
    void whatIsThereAlreadyIsDefinedAgainWithoutMemory() throws BadLineException {
        define(256, 50);
        long used = memory.used();

        PublishedTopic again = topics.define(definition(0, 256, 50));

        assertThat(again.name()).isEqualTo("topic_0");
        assertThat(memory.used()).isEqualTo(used);
        assertThatThrownBy(() -> topics.define(definition(0, 255, 50))).isInstanceOf(BadLineException.class);
        assertThat(memory.used()).isEqualTo(used);
    }

    @Test
    void aTopicThatNoMemoryIsThereForMayBeDefinedByAnother() throws BadLineException {
        List<String> names = new ArrayList<>();
        define(256, 50);
        feed.topics().forEach(topic -> names.add(topic.name()));

        assertThatThrownBy(() -> topics.define(definition(1000, 256, 50))).isInstanceOf(BadLineException.class);
        assertThat(topics.known("topic_1000")).isNull();
        assertThat(names).doesNotContain("topic_1000");
    }
}
