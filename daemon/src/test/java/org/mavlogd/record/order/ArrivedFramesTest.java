package org.mavlogd.record.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mavlogd.feed.FrameTrail;

class ArrivedFramesTest {
    private static final int NUMBERS = 0x1_0000;
    private static final int CHUNKS = 20_000;

    /** Against a set of all numbers that arrived, across the wrap of the numbers and at each place in a word. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void knowsEachFrameThatATrailNames(long seed) {
        Random random = new Random(seed);
        ArrivedFrames frames = new ArrivedFrames();
        boolean[] arrived = new boolean[NUMBERS];
        int number = random.nextInt(NUMBERS);
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            int step = 1 + random.nextInt(random.nextInt(10) == 0 ? FrameTrail.LENGTH : 3);
            int next = (number + step) & (NUMBERS - 1);
            for (int i = 1; i <= step; i++) {
                arrived[(number + i) & (NUMBERS - 1)] = i == step || random.nextInt(4) > 0;
            }
            frames.learn(FrameTrail.of(next, trail(arrived, next)));

            int from = (next - 1 - random.nextInt(100)) & (NUMBERS - 1);
            if (chunk > 200) {
                assertThat(frames.missingBetween(from, next))
                        .as("seed %d, chunk %d, from %d to %d", seed, chunk, from, next)
                        .isEqualTo(missing(arrived, from, next));
            }
            number = next;
        }
    }

    private static long trail(boolean[] arrived, int number) {
        long bits = 0;
        for (int i = 0; i < FrameTrail.LENGTH; i++) {
            bits |= arrived[(number - 1 - i) & (NUMBERS - 1)] ? 1L << i : 0;
        }
        return bits;
    }

    private static int missing(boolean[] arrived, int from, int to) {
        int missing = 0;
        for (int i = 1; i < ((to - from) & (NUMBERS - 1)); i++) {
            missing += arrived[(from + i) & (NUMBERS - 1)] ? 0 : 1;
        }
        return missing;
    }
}
