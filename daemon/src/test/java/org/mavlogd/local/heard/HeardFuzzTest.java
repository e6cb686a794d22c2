package org.mavlogd.local.heard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.mavlink.Dialect;

/** Valid frames with any content from any sender: nothing throws, and memory is bounded. */
class HeardFuzzTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomMessagesOfRandomSendersAreTakenOrCounted(long seed) {
        Random random = new Random(seed);
        HeardLink link = new HeardLink(HeardLink.ALL);
        Dialect dialect = Dialect.standard();
        int sent = 20_000;
        for (int i = 0; i < sent; i++) {
            byte[] payload = new byte[random.nextInt(256)];
            random.nextBytes(payload);
            boolean isText = random.nextInt(4) == 0;
            HeardFrames frame = isText
                    ? HeardFrames.text(
                            random.nextInt(256), "t".repeat(random.nextInt(51)), random.nextInt(5), random.nextInt(30))
                    : HeardFrames.of(dialect.layout(random.nextInt(dialect.count())))
                            .payload(payload);
            link.isNamed = random.nextBoolean();
            link.isLogged = random.nextInt(8) == 0;
            link.send(frame.from(random.nextInt(256), random.nextInt(256)));
            if (random.nextInt(10) == 0) {
                link.pass(random.nextInt(1000));
                link.drain();
            }
        }

        link.drain();
        long samples = link.samples.size();
        assertThat(link.errors()).as("seed %d", seed).isZero();
        assertThat(link.count("local.samples")).isEqualTo(samples);
        assertThat(samples
                        + link.count("messages.excluded")
                        + link.count("messages.refused")
                        + link.count("local.lost.samples"))
                .isEqualTo(sent);
        assertThat(link.texts).isNotEmpty().allMatch(text -> text.level() >= 0 && text.level() <= 7);
        assertThat(link.feed.topics()).hasSizeLessThanOrEqualTo(dialect.count());
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void randomBytesNeverThrow(long seed) {
        Random random = new Random(seed);
        HeardLink link = new HeardLink(HeardLink.ALL);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[random.nextInt(600)];
            random.nextBytes(bytes);
            byte[] frame = HeardFrames.text(4, "x", random.nextInt(3), random.nextInt(3))
                    .bytes();
            if (bytes.length > frame.length) {
                System.arraycopy(frame, 0, bytes, random.nextInt(bytes.length - frame.length), frame.length);
            }
            link.send(bytes);
            link.pass(50);
            link.drain();
        }

        assertThat(link.errors()).as("seed %d", seed).isZero();
        assertThat(link.texts).as("seed %d", seed).isNotEmpty();
    }
}
