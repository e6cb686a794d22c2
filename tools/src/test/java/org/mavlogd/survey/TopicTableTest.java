package org.mavlogd.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mavlogd.logtools.Progress;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

class TopicTableTest {
    private static final long LOG_BYTES = 10_000;

    @TempDir
    private Path directory = Path.of(".");

    /** A topic with samples of 8 bytes and 10 Hz. */
    private TopicTally topic(String name, int instance, int samples) throws IOException {
        Path file = directory.resolve(name + ".ulg");
        try (FileSink sink = FileSink.create(file)) {
            ULogWriter log = new ULogWriter(sink, 0, WriterSettings.DEFAULT);
            log.format(TopicFormat.parse(name + ":uint64_t timestamp;"));
            TopicWriter topic = log.subscribe(name, 0);
            for (int i = 1; i <= instance; i++) {
                topic = log.subscribe(name, i);
            }
            for (int i = 1; i <= samples; i++) {
                topic.begin(i * 100_000L).write();
            }
            log.close();
        }
        return LogSurvey.of(file, Progress.NONE).topics().inOrder().get(instance);
    }

    @Test
    void bothSectionsHaveTheSameColumns() throws IOException {
        TopicTable table = new TopicTable(LOG_BYTES, 10);
        table.add("Topic", List.of(topic("sensor_combined", 0, 1200), topic("battery_status", 1, 1)));
        table.add("Topic of the companion computer", List.of(topic("winch", 0, 2)));

        assertThat(table.lines())
                .containsExactly(
                        "",
                        "  Topic                            Messages     Rate     Size    Share",
                        "  sensor_combined                     1,200  10.0 Hz  15.6 KB  156.0 %",
                        "  battery_status:1                        1        -   0.0 KB    0.1 %",
                        "",
                        "  Topic of the companion computer  Messages     Rate     Size    Share",
                        "  winch                                   2  10.0 Hz   0.0 KB    0.3 %");
    }

    @Test
    void theRestIsCounted() throws IOException {
        TopicTable table = new TopicTable(LOG_BYTES, 1);
        table.add("Topic", List.of(topic("one", 0, 3), topic("two", 0, 2), topic("three", 0, 1)));

        assertThat(table.lines()).hasSize(4).last().isEqualTo("  and 2 smaller topics; --all-topics lists them");
    }

    @Test
    void longNamesAreCutBeforeTheirInstance() throws IOException {
        TopicTable table = new TopicTable(LOG_BYTES, 1);
        table.add("Topic", List.of(topic("a".repeat(200), 3, 1)));

        assertThat(table.lines().get(2)).startsWith("  aaa").contains(":3 ").hasSizeLessThanOrEqualTo(80);
    }

    @Test
    void nothingIsWrittenWithoutTopics() {
        TopicTable table = new TopicTable(LOG_BYTES, 1);
        table.add("Topic", List.of());
        assertThat(table.lines()).isEmpty();
    }
}
