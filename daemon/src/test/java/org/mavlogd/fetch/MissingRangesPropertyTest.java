package org.mavlogd.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MissingRangesPropertyTest {
    private static final int LENGTH = 300;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void knowsWhatASetOfBytesWouldKnow(long seed) {
        Random random = new Random(seed);
        MissingRanges ranges = MissingRanges.allOf(LENGTH);
        BitSet bytes = new BitSet();
        bytes.set(0, LENGTH);
        for (int step = 0; step < 3000; step++) {
            int start = random.nextInt(LENGTH);
            int end = Math.min(LENGTH, start + random.nextInt(random.nextInt(5) == 0 ? 200 : 12));
            assertThat(ranges.touches(start, end))
                    .isEqualTo(bytes.get(start, end).cardinality() > 0);
            if (random.nextInt(3) == 0) {
                ranges.add(start, end);
                bytes.set(start, end);
            } else {
                ranges.remove(start, end);
                bytes.clear(start, end);
            }
            check(ranges, bytes);
        }
    }

    private static void check(MissingRanges ranges, BitSet bytes) {
        assertThat(ranges.bytes()).isEqualTo(bytes.cardinality());
        int at = 0;
        for (int i = 0; i < ranges.count(); i++) {
            int start = bytes.nextSetBit(at);
            assertThat(ranges.start(i)).isEqualTo(start);
            at = bytes.nextClearBit(start);
            assertThat(ranges.end(i)).isEqualTo(at);
        }
        assertThat(bytes.nextSetBit(at)).isEqualTo(-1);
    }

    @Test
    void keepsNoMoreRangesThanItMay() {
        MissingRanges ranges = MissingRanges.allOf(10L * MissingRanges.MAX_RANGES);
        for (int i = 1; i < MissingRanges.MAX_RANGES; i++) {
            ranges.remove(4L * i, 4L * i + 1);
        }

        assertThat(ranges.count()).isEqualTo(MissingRanges.MAX_RANGES);
        long next = 4L * MissingRanges.MAX_RANGES;
        assertThat(ranges.mayRemove(next, next + 1)).isFalse();
        assertThat(ranges.mayRemove(0, 4)).isTrue();
        assertThatThrownBy(() -> ranges.remove(next, next + 1)).isInstanceOf(IllegalStateException.class);
    }
}
