package org.mavlogd.logtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
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
                    .map(topic -> topic.split(":", -1)[0])
                    .distinct()
                    .toList()) {
                log.format(TopicFormat.parse(name + ":uint64_t timestamp;"));
            }
            for (String topic : topics) {
                String[] parts = topic.split(":", -1);
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

    @Test
    void globsAreThoseOfRegularExpressions() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String glob = letters(random, "ab*?\ud83d\ude00", 8);
            String name = letters(random, "ab\ud83d\ude00", 10);
            String regex = glob.replace("*", ".*").replace("?", ".");

            assertThat(new TopicChoice.Glob(glob).matches(name))
                    .as("%s of %s, seed %d", glob, name, seed)
                    .isEqualTo(
                            Pattern.compile(regex, Pattern.DOTALL).matcher(name).matches());
        }
    }

    private static String letters(Random random, String of, int most) {
        int[] choice = of.codePoints().toArray();
        return random.ints(random.nextInt(most + 1), 0, choice.length)
                .map(i -> choice[i])
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void aGlobOfManyStarsEnds() {
        String name = "a".repeat(5000);

        assertThat(new TopicChoice.Glob("*a".repeat(100) + "b").matches(name)).isFalse();
        assertThat(new TopicChoice.Glob("*a".repeat(100)).matches(name)).isTrue();
    }
}
