package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mavlogd.feed.LocalFeed;
import org.mavlogd.feed.LocalPublisher;
import org.mavlogd.local.TakenTexts.Text;
import org.mavlogd.metrics.Metrics;
import org.mavlogd.tags.TagMap;
import org.mavlogd.ulog.LogLevel;

class TextOutletTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int RING_BYTES = 1 << 16;
    private static final int CAMERA = 3;

    private final Metrics metrics = new Metrics();
    private final LocalFeed feed = new LocalFeed("texts", RING_BYTES);
    private final TakenTexts taken = new TakenTexts(feed);

    private TextOutlet outlet(int maxPerS, int burst) {
        return new TextOutlet("cam", feed.publisher(), TagMap.DEFAULT, new TextLimiter.Limits(maxPerS, burst), metrics);
    }

    private long count(String name, String... tags) {
        return metrics.counter(name, "", tags).get();
    }

    private long tagged(String name) {
        return count(name, "source", "cam", "tag", "camera_handler");
    }

    @Test
    void publishesLevelTagTimeAndSpeaker() {
        TextOutlet outlet = outlet(10, 10);

        outlet.text(LogLevel.ERROR, CAMERA, 42, "camerad", " lens\nstuck ");
        outlet.text(LogLevel.INFO, CAMERA, 43, "fine");

        assertThat(taken.take())
                .containsExactly(new Text(3, CAMERA, 42, "camerad: lens\\nstuck"), new Text(6, CAMERA, 43, "fine"));
        assertThat(tagged("local.texts")).isEqualTo(2);
    }

    @Test
    void countsTextsWithoutAnyCharacter() {
        outlet(10, 10).text(LogLevel.INFO, CAMERA, 1, "camerad", " \n\u0000");

        assertThat(taken.take()).isEmpty();
        assertThat(count("local.empty.texts", "source", "cam")).isEqualTo(1);
    }

    @Test
    void cutsLongTextsBetweenCharacters() {
        outlet(10, 10).text(LogLevel.INFO, CAMERA, 1, "水".repeat(2000));

        assertThat(taken.words())
                .singleElement()
                .satisfies(text -> assertThat(text).isEqualTo("水".repeat(LocalPublisher.MAX_TEXT_BYTES / 3)));
    }

    @Test
    void tellsWithinASecondHowManyWereLeftOut() {
        TextOutlet outlet = outlet(10, 2);
        outlet.tick(0);
        for (int i = 0; i < 5; i++) {
            outlet.text(LogLevel.INFO, CAMERA, i, "text " + i);
        }
        outlet.tick(SECOND_NS - 1);
        assertThat(taken.words()).containsExactly("text 0", "text 1");

        outlet.tick(SECOND_NS);
        outlet.tick(3 * SECOND_NS);

        assertThat(taken.take())
                .containsExactly(new Text(4, CAMERA, 4, "3 messages of cam left out; the limit is 10 a second"));
        assertThat(tagged("local.left.out.texts")).isEqualTo(3);
    }

    @Test
    void tellsOfTextsForWhichTheRingHadNoRoom() {
        TextOutlet outlet = outlet(10_000, 10_000);
        outlet.tick(0);
        String text = "x".repeat(1000);
        for (int i = 0; i < 100; i++) {
            outlet.text(LogLevel.INFO, CAMERA, i, text);
        }
        long lost = tagged("local.lost.texts");
        int published = taken.take().size();

        outlet.tick(SECOND_NS);

        assertThat(published).isEqualTo((int) (100 - lost)).isLessThan(100);
        assertThat(taken.words()).isEqualTo(List.of(lost + " messages of cam left out; the limit is 10000 a second"));
    }

    @Test
    void aTagThatHasNoNameIsAMistake() {
        TextOutlet outlet = outlet(10, 10);

        assertThatThrownBy(() -> outlet.text(LogLevel.INFO, 10, 1, "text"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsPublishedIsValidWhateverComes() {
        TextOutlet outlet = outlet(10_000, 10_000);
        for (int c = 0; c < 65_536; c += 61) {
            outlet.text(LogLevel.INFO, CAMERA, 1, "a" + (char) c + "b");
            for (String text : taken.words()) {
                assertThat(text.getBytes(StandardCharsets.UTF_8).length).isBetween(3, 20);
            }
        }
    }
}
