package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

class TopicChoiceTest {
    private static final byte[] LOG =
            log("battery_status:0", "battery_status:1", "vehicle_attitude:0", "vehicle_gps:0");

    private static byte[] log(String... topics) {
        MemorySink sink = new MemorySink();
        try (ULogWriter log = new ULogWriter(sink, 1, WriterSettings.DEFAULT)) {
            for (String name : Arrays.stream(topics)
                    .map(topic -> topic.split(":")[0])
                    .distinct()
                    .toList()) {
                log.format(TopicFormat.parse(name + ":uint64_t timestamp;"));
            }
            for (String topic : topics) {
                String[] parts = topic.split(":");
                log.subscribe(parts[0], Integer.parseInt(parts[1])).begin(5).write();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return sink.toByteArray();
    }

    private static List<String> chosen(TopicChoice choice) throws IOException {
        List<String> chosen = new ArrayList<>();
        ULogReader reader = new ULogReader(new ULogHandler() {
            @Override
            public void onTopic(Topic topic) {
                choice.onTopic(topic);
            }

            @Override
            public void onSample(SampleView sample) {
                if (choice.accepts(sample.topic())) {
                    chosen.add(sample.topic().toString());
                }
            }
        });
        reader.feed(LOG, 0, LOG.length);
        reader.finish();
        return chosen;
    }

    private static TopicChoice choice(String... words) {
        return new TopicChoice(List.of(words));
    }

    @Test
    void namesInstancesAndWildcardsPickTopics() throws IOException {
        assertThat(chosen(TopicChoice.all())).hasSize(4);
        assertThat(chosen(choice("battery_status"))).containsExactly("battery_status:0", "battery_status:1");
        assertThat(chosen(choice("battery_status:1"))).containsExactly("battery_status:1");
        assertThat(chosen(choice("vehicle_*"))).containsExactly("vehicle_attitude:0", "vehicle_gps:0");
        assertThat(chosen(choice("*:1", "vehicle_gp?"))).containsExactly("battery_status:1", "vehicle_gps:0");
        assertThat(chosen(choice("battery.status", "attitude", "[a-z]+", "battery_status:")))
                .isEmpty();
    }

    @Test
    void aWordThatNoTopicMatchesIsReportedWithTheOneThatWasMeant() throws IOException {
        TopicChoice choice = choice("vehicle_*", "batery_status");
        chosen(choice);
        assertThatThrownBy(choice::requireMatches)
                .isInstanceOf(ULogException.class)
                .hasMessageStartingWith("no topic \"batery_status\" (did you mean \"battery_status\"?)");

        TopicChoice instance = choice("battery_status:2");
        chosen(instance);
        assertThatThrownBy(instance::requireMatches).hasMessageContaining("did you mean \"battery_status:");

        TopicChoice all = TopicChoice.all();
        assertThatCode(all::requireMatches).doesNotThrowAnyException();
    }

    @Test
    void tellsWhetherOnlyOneTopicCanBePicked() {
        assertThat(choice("a").isOneName()).isTrue();
        assertThat(choice("a:1").isOneName()).isTrue();
        assertThat(choice("a:1", "a:0").isOneName()).isTrue();
        assertThat(choice("a", "b").isOneName()).isFalse();
        assertThat(choice("a*").isOneName()).isFalse();
        assertThat(choice("a:?").isOneName()).isFalse();
        assertThat(TopicChoice.all().isOneName()).isFalse();
    }
}
