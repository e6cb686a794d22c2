package org.mavlogd.whole;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.Feed;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.feed.LocalTopic;
import org.mavlogd.local.TextLimiter;
import org.mavlogd.local.TextOutlet;
import org.mavlogd.local.heard.ClockTopic;
import org.mavlogd.local.heard.HeardMessages;
import org.mavlogd.local.heard.HeardSettings;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.signing.Signing;
import org.mavlogd.tags.TagMap;
import org.mavlogd.vehicle.ConversationSettings;
import org.mavlogd.vehicle.LinkConversations;
import org.mavlogd.vehicle.LinkFeeds;
import org.mavlogd.vehicle.VehicleClaims;
import org.mavlogd.vehicle.VehicleLogs;

/**
 * Every message of a driving rover and its ground station becomes a sample or a log message; ORIGIN.md describes the
 * capture.
 */
class HeardCaptureTest {
    private final Metrics metrics = new Metrics();
    private final LocalFeed feed = new LocalFeed("a", 1 << 20);
    private final Taken taken = new Taken();
    private final LocalFeed.Consumer consumer = feed.consumer(taken);

    @Test
    void everyMessageOfEverySenderIsThere() throws IOException {
        replay(new HeardSettings(
                List.of("*"),
                List.of(),
                HeardSettings.UNLIMITED,
                List.of(),
                HeardSettings.StatusTextMode.AUTO,
                HeardSettings.SenderChoice.LINK));

        Map<String, Integer> expected = HeardReplay.expected();
        assertThat(expected).hasSizeGreaterThan(40);
        assertThat(taken.counts).isEqualTo(expected);
        assertThat(taken.texts)
                .hasSize(43)
                // The first came before the heartbeat that identifies the vehicle.
                .startsWith("[1/1] Calibrating barometer", "Barometer 1 calibration complete")
                .contains("INS: alloc 6144 bytes for ISB (free=524288)", "Reached waypoint #4")
                .endsWith("Throttle disarmed");
        assertThat(metrics.total("messages.excluded")).isZero();
        assertThat(metrics.total("local.lost.samples")).isZero();
    }

    @Test
    void groundStationsAreLeftOutUnlessWanted() throws IOException {
        replay(new HeardSettings(
                List.of("*"),
                List.of(),
                10,
                List.of(),
                HeardSettings.StatusTextMode.NEVER,
                HeardSettings.SenderChoice.VEHICLES));

        assertThat(taken.counts.keySet())
                .noneMatch(key -> key.startsWith("255,"))
                .contains("1,191,HEARTBEAT");
        assertThat(taken.counts.get("1,1,ATTITUDE")).isBetween(800, 950);
        assertThat(taken.texts).isEmpty();
    }

    private void replay(HeardSettings settings) throws IOException {
        LocalPublisher publisher = feed.publisher();
        LinkConversations link = new LinkConversations(
                new LinkFeeds("a", new Feed("a", 1 << 16).publisher(), new ClockTopic("a", publisher, metrics)),
                new ConversationSettings(0, 192, ConversationSettings.Mode.ALWAYS, 0, TimeUnit.SECONDS.toNanos(5)),
                VehicleLogs.of(new VehicleClaims()),
                Signing.LinkParts.OFF,
                new HeardMessages(
                        "a",
                        settings,
                        new HeardMessages.Instances(),
                        publisher,
                        new TextOutlet("link", publisher, TagMap.DEFAULT, new TextLimiter.Limits(20, 200), metrics),
                        metrics),
                metrics);
        HeardReplay.run(link, nowNs -> consumer.drain(100));
    }

    private static final class Taken implements LocalFeed.Handler {
        private final Map<String, Integer> counts = new HashMap<>();
        private final List<String> texts = new ArrayList<>();

        @Override
        public void onSample(
                LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length) {
            String message = topic.name().substring("mavlink_".length()).toUpperCase(Locale.ROOT);
            int source = offset + length - 2;
            String key = (buffer.getByte(source) & 0xFF) + "," + (buffer.getByte(source + 1) & 0xFF) + ',' + message;
            counts.merge(key, 1, Integer::sum);
        }

        @Override
        public void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length) {
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            texts.add(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
