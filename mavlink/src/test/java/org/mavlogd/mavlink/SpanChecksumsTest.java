package org.mavlogd.mavlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class SpanChecksumsTest {
    private final SpanChecksums spans = new SpanChecksums();

    @Test
    void givesWhatOnePassOverEachSpanGives() {
        byte[] bytes = new byte[5000];
        Random random = new Random(1);
        random.nextBytes(bytes);
        for (int round = 0; round < 50_000; round++) {
            int from = random.nextInt(bytes.length - SpanChecksums.MAX_SPAN);
            int length = random.nextInt(SpanChecksums.MAX_SPAN + 1);

            assertThat(spans.of(bytes, from, from + length)).isEqualTo(Crc16.update(Crc16.START, bytes, from, length));
        }
    }

    @Test
    void givesThatOfTheLongestSpanAtEachByte() {
        byte[] bytes = new byte[5000];
        new Random(2).nextBytes(bytes);
        for (int from = 0; from + SpanChecksums.MAX_SPAN <= bytes.length; from++) {
            assertThat(spans.of(bytes, from, from + SpanChecksums.MAX_SPAN))
                    .isEqualTo(Crc16.update(Crc16.START, bytes, from, SpanChecksums.MAX_SPAN));
        }
    }

    @Test
    void forgetsBytesThatHaveChanged() {
        byte[] bytes = new byte[100];
        spans.of(bytes, 0, 100);
        bytes[50] = 1;

        spans.forget();

        assertThat(spans.of(bytes, 0, 100)).isEqualTo(Crc16.update(Crc16.START, bytes, 0, 100));
    }
}
