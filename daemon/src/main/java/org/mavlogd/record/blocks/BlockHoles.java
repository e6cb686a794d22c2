package org.mavlogd.record.blocks;

import java.util.Arrays;

/**
 * Which of the youngest blocks of a log never came: the numbers that fillers stand for, by their last digits, since older ones
 * do not come any more. Owned by the recorder's thread; allocates nothing after construction.
 */
final class BlockHoles {
    private static final long NONE = -1;

    private final long[] numbers = new long[BlockWindow.CAPACITY];

    BlockHoles() {
        Arrays.fill(numbers, NONE);
    }

    void add(long number) {
        numbers[slot(number)] = number;
    }

    /** Whether that one was missing until now. */
    boolean remove(long number) {
        boolean wasMissing = numbers[slot(number)] == number;
        if (wasMissing) {
            numbers[slot(number)] = NONE;
        }
        return wasMissing;
    }

    private static int slot(long number) {
        return (int) (number % BlockWindow.CAPACITY);
    }
}
