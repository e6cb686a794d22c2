package org.mavlogd.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchAllocatorTest {
    private static final int SLOT = 2049;
    private static final int SLOTS = 32;
    private static final int ROOM = SLOT * SLOTS;

    private final BatchAllocator allocator = new BatchAllocator(SLOT, SLOTS, 1024);

    @Test
    void partlyFilledBatchHasEmptiedTheSocket() {
        assertThat(allocator.isDrained(SLOT, ROOM)).isTrue();
        assertThat(allocator.isDrained(ROOM - SLOT, ROOM)).isTrue();
        assertThat(allocator.isDrained(ROOM, ROOM)).isFalse();
        assertThat(allocator.isBatched()).isTrue();
    }

    @Test
    void lengthsThatAreNoSlotsMeanOneByOneForEver() {
        assertThat(allocator.isDrained(280, ROOM)).isFalse();
        assertThat(allocator.isBatched()).isFalse();
        assertThat(allocator.isDrained(SLOT, ROOM)).isFalse();
    }

    @Test
    void roundThatBroughtNothingSaysNothingAboutBatches() {
        assertThat(allocator.isDrained(-1, ROOM)).isTrue();
        assertThat(allocator.isBatched()).isTrue();
    }

    @Test
    void roomFollowsWhatTheLastReadBrought() {
        assertThat(allocator.slotsAfter(0, SLOTS)).isEqualTo(2);
        assertThat(allocator.slotsAfter(1, 2)).isEqualTo(3);
        assertThat(allocator.slotsAfter(8, SLOTS)).isEqualTo(14);
        assertThat(allocator.slotsAfter(31, SLOTS)).isEqualTo(SLOTS);
    }

    @Test
    void filledBatchIsFollowedByTheLargest() {
        assertThat(allocator.slotsAfter(2, 2)).isEqualTo(SLOTS);
        assertThat(allocator.slotsAfter(SLOTS, SLOTS)).isEqualTo(SLOTS);
    }
}
