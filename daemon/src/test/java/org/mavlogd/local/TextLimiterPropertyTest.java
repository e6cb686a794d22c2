package org.mavlogd.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLimiterPropertyTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * No period gets more messages than the burst and the rate allow, and every message is counted as passed or
     * dropped.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void neverLetsMorePassThanItsLimits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TextLimiter.Limits limits = new TextLimiter.Limits(1 + random.nextInt(50), 1 + random.nextInt(100));
        TextLimiter limiter = new TextLimiter(limits);
        int texts = 3000;
        long[] passedNs = new long[texts];
        int passed = 0;
        long[] leftOut = new long[1];
        long nowNs = random.nextLong();
        for (int i = 0; i < texts; i++) {
            nowNs += random.nextInt(4) == 0 ? random.nextLong(SECOND_NS) : random.nextLong(1 + SECOND_NS / 1000);
            if (limiter.admit(1, nowNs)) {
                passedNs[passed++] = nowNs;
            }
            if (random.nextInt(100) == 0) {
                limiter.tell((tag, count, lastNs) -> {
                    leftOut[0] += count;
                    return true;
                });
            }
        }
        limiter.tell((tag, count, lastNs) -> {
            leftOut[0] += count;
            return true;
        });

        assertThat(passed + leftOut[0]).isEqualTo(texts);
        for (int from = 0; from < passed; from += 7) {
            for (int to = from; to < passed; to += 13) {
                double seconds = (passedNs[to] - passedNs[from]) / 1e9;
                assertThat(to - from + 1)
                        .as("seed %d, texts %d to %d", seed, from, to)
                        .isLessThanOrEqualTo((int) (limits.burst() + seconds * limits.maxPerS() * 1.001 + 1));
            }
        }
    }
}
