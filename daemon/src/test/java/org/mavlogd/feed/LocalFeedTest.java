package org.mavlogd.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogException;

class LocalFeedTest {
    private final LocalFeed feed = new LocalFeed("test", 1 << 16);
    private final LocalPublisher publisher = feed.publisher();
    private final Taken taken = new Taken();
    private final LocalFeed.Consumer consumer = feed.consumer(taken);

    @Test
    void handsOutSamplesAsTheyWillStandInTheLog() throws ULogException {
        LocalSample sample = publisher.declare(
                TopicFormat.parse("winch:uint64_t timestamp;float load;int16_t[2] turns;char[4] who;bool on;double x;"),
                Map.of("load", "kg"));

        boolean published = sample.begin(3, 77)
                .float32(1.5f)
                .integer(-2)
                .integer(7)
                .text("aft")
                .bool(true)
                .float64(2.25)
                .publish();

        assertThat(published).isTrue();
        assertThat(consumer.drain(10)).isEqualTo(1);
        assertThat(taken.lines).containsExactly("winch[3] @77: 1.5 -2 7 aft 1 2.25, 21 bytes");
        assertThat(feed.topics()).hasSize(1);
        assertThat(feed.topics().get(0).units()).containsEntry("load", "kg");
    }

    @Test
    void handsOutTextsAsUtf8() {
        assertThat(publisher.text(LogLevel.WARNING, 65535, 5, "Höhe")).isTrue();
        publisher.text(LogLevel.INFO, 1, 6, "\ud800!");
        publisher.text(LogLevel.INFO, 1, 7, "ä".repeat(2000));

        consumer.drain(10);

        assertThat(taken.lines.get(0)).isEqualTo("4 65535 @5: Höhe");
        assertThat(taken.lines.get(1)).isEqualTo("6 1 @6: ?!");
        assertThat(taken.lines.get(2)).isEqualTo("6 1 @7: " + "ä".repeat(512));
    }

    @Test
    void saysWhenItIsFullAndLosesNothingElse() throws ULogException {
        LocalSample sample =
                publisher.declare(TopicFormat.parse("big:uint64_t timestamp;uint8_t[4088] bytes;"), Map.of());
        byte[] values = new byte[4088];
        int published = 0;
        while (sample.publishRaw(0, published, values, 0)) {
            published++;
        }

        assertThat(published).isBetween(14, 16);
        int texts = 0;
        while (publisher.text(LogLevel.INFO, 0, 0, "x".repeat(1024))) {
            texts++;
        }
        assertThat(texts).isBetween(1, 4);
        assertThat(consumer.drain(100)).isEqualTo(published + texts);
        assertThat(sample.publishRaw(0, 0, values, 0)).isTrue();
    }

    @Test
    void refusesValuesThatAreNotOfTheFormat() throws ULogException {
        LocalSample sample = publisher.declare(TopicFormat.parse("a:uint64_t timestamp;float x;uint8_t y;"), Map.of());

        assertThatThrownBy(() -> sample.begin(0, 0).integer(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sample.begin(256, 0)).hasMessageContaining("allowed 0 to 255");
        assertThatThrownBy(() -> sample.begin(0, 0).float32(1).publish()).hasMessageContaining("\"y\" has no value");
        assertThatThrownBy(() -> sample.begin(0, 0).float32(1).integer(1).integer(1))
                .hasMessageContaining("more values than fields");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:float x;",
                "a:uint64_t timestamp;",
                "a:uint64_t timestamp;other x;",
                "a:uint64_t timestamp;float x;float x;",
                "a:uint64_t timestamp;float[0] x;",
                "a:uint64_t timestamp;float[2000] x;",
                "a:uint64_t timestamp;float x;uint8_t[3] _padding0;",
                "a b:uint64_t timestamp;float x;",
                "1a:uint64_t timestamp;float x;",
                "a:uint64_t timestamp;float x-y;"
            })
    void refusesFormatsThatBreakARule(String text) throws ULogException {
        TopicFormat format = TopicFormat.parse(text);

        assertThat(LocalTopic.problem(format)).isNotEmpty();
        assertThatThrownBy(() -> publisher.declare(format, Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(feed.topics()).isEmpty();
    }

    private static final class Taken implements LocalFeed.Handler {
        private final List<String> lines = new ArrayList<>();

        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            String values = length != 21
                    ? ""
                    : buffer.getFloat(offset, ByteOrder.LITTLE_ENDIAN)
                            + " " + buffer.getShort(offset + 4, ByteOrder.LITTLE_ENDIAN)
                            + " " + buffer.getShort(offset + 6, ByteOrder.LITTLE_ENDIAN)
                            + " " + buffer.getStringWithoutLengthAscii(offset + 8, 3)
                            + " " + buffer.getByte(offset + 12)
                            + " " + buffer.getDouble(offset + 13, ByteOrder.LITTLE_ENDIAN);
            lines.add(topic.name() + "[" + instance + "] @" + takenNs + ": " + values + ", " + length + " bytes");
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            lines.add(level + " " + tag + " @" + takenNs + ": " + new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
