package org.mavlogd.record.blocks;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.BlockView;
import org.mavlogd.memory.MemoryShare;

/**
 * Puts log blocks into the order of their numbers. A block that comes before its predecessor is held until the
 * predecessor comes, or until it clearly never will: when {@link #CAPACITY} numbers wait, or when blocks have kept
 * coming for {@link #PATIENCE_NS} since the gap was seen, in which the vehicle repeated each missing one 30 times. A
 * missing one that comes shows that a slow link is still busy with them: then the time counts anew. Time without blocks
 * does not count.
 *
 * <p>It uses the arrival times of blocks, so that a late reader changes nothing. Owned by the recorder's thread. Hot
 * path: allocates only when more blocks wait than ever before.
 */
final class BlockWindow {
    /** How many numbers may wait: many more than the 255 blocks that a vehicle keeps. */
    static final int CAPACITY = 1024;

    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    static final long RESUMED_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    // While the link is up, blocks and repeats come more often than this.
    private static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int FIRST_SLOTS = 64;
    private static final int SLOT_BYTES = BlockView.DATA_LENGTH + 2 * Long.BYTES + 1;

    /** Takes blocks and gaps in order. */
    interface Output {
        /** The next block; the data is valid during the call only. */
        void onBlock(DirectBuffer data, int offset, long number, long arrivalNs);

        /** Takes a gap: {@code count} blocks from that number on are given up. */
        void onHole(long firstNumber, long count);

        /** A block came after it had been given up; the data is valid during the call only. */
        void onLateBlock(DirectBuffer data, int offset, long number);
    }

    private final Output output;
    private final MemoryShare share;
    // Grows with the number of blocks that wait at the same time; a power of two.
    private int slots = FIRST_SLOTS;
    private UnsafeBuffer held = new UnsafeBuffer(new byte[FIRST_SLOTS * BlockView.DATA_LENGTH]);
    private long[] arrivals = new long[FIRST_SLOTS];
    private long[] sinceNs = new long[FIRST_SLOTS];
    private boolean[] used = new boolean[FIRST_SLOTS];
    private long patienceNs = PATIENCE_NS;
    private long expected;
    private int heldCount;
    // Counted time while blocks are held; since when the oldest one is; when a missing one came, of the first gap and
    // of a later one.
    private long countedNs;
    private long oldestNs;
    private long progressNs;
    private long filledNs;
    private long highestHeld;
    private long lastArrivalNs;

    /**
     * An empty window.
     *
     * @param first number of the first expected block
     * @param share memory for waiting blocks; without memory fewer blocks wait
     */
    BlockWindow(long first, Output output, MemoryShare share) {
        this.share = share;
        share.take(FIRST_SLOTS * SLOT_BYTES);
        this.expected = first;
        this.output = output;
    }

    /** The window of a log of an earlier run, which continues with that number. */
    static BlockWindow resumed(long first, Output output, MemoryShare share) {
        BlockWindow window = new BlockWindow(first, output, share);
        window.patienceNs = RESUMED_PATIENCE_NS;
        return window;
    }

    /** The number of the next block to pass on. */
    long expected() {
        return expected;
    }

    int heldCount() {
        return heldCount;
    }

    void offer(BlockView block) {
        long number = block.number();
        countPatience(block.arrivalNs()); // may give up this very block
        if (number < expected) {
            output.onLateBlock(block.data(), block.dataOffset(), number);
            return;
        }
        while (number - expected >= slots && grow()) {
            // until there is a slot for it
        }
        while (number - expected >= slots) {
            giveUp(number - slots + 1);
        }
        if (number == expected) {
            progressNs = countedNs;
            output.onBlock(block.data(), block.dataOffset(), number, block.arrivalNs());
            expected++;
            handOnHeld();
        } else {
            hold(block);
        }
    }

    /** Doubles the number of slots; false if it is at the maximum, or there is no memory. */
    private boolean grow() {
        if (slots == CAPACITY || !share.reserve((long) slots * SLOT_BYTES)) {
            return false;
        }
        int before = slots;
        UnsafeBuffer heldBefore = held;
        long[] arrivalsBefore = arrivals;
        long[] sinceBefore = sinceNs;
        boolean[] usedBefore = used;
        slots = 2 * before;
        held = new UnsafeBuffer(new byte[slots * BlockView.DATA_LENGTH]);
        arrivals = new long[slots];
        sinceNs = new long[slots];
        used = new boolean[slots];
        for (long number = expected; number < expected + before; number++) {
            int from = (int) number & (before - 1);
            int to = slot(number);
            used[to] = usedBefore[from];
            arrivals[to] = arrivalsBefore[from];
            sinceNs[to] = sinceBefore[from];
            held.putBytes(to * BlockView.DATA_LENGTH, heldBefore, from * BlockView.DATA_LENGTH, BlockView.DATA_LENGTH);
        }
        return true;
    }

    /** Counts the time in which a missing block could have come. */
    private void countPatience(long arrivalNs) {
        if (heldCount > 0) {
            countedNs += Math.max(0, Math.min(arrivalNs - lastArrivalNs, LONGEST_STEP_NS));
        }
        while (heldCount > 0 && countedNs - Math.max(oldestNs, progressNs) >= patienceNs) {
            giveUp(Long.MAX_VALUE);
        }
        lastArrivalNs = arrivalNs;
    }

    private void hold(BlockView block) {
        int slot = slot(block.number());
        if (used[slot]) {
            return; // the same number again: the first copy is as good
        }
        used[slot] = true;
        arrivals[slot] = block.arrivalNs();
        sinceNs[slot] = countedNs;
        if (heldCount == 0) {
            oldestNs = countedNs;
            highestHeld = block.number();
        } else if (block.number() < highestHeld) {
            filledNs = countedNs;
        }
        highestHeld = Math.max(highestHeld, block.number());
        held.putBytes(slot * BlockView.DATA_LENGTH, block.data(), block.dataOffset(), BlockView.DATA_LENGTH);
        heldCount++;
    }

    /** Passes on all held blocks: no more will come. */
    void flush() {
        while (heldCount > 0) {
            giveUp(Long.MAX_VALUE);
        }
    }

    /** Gives up the first gap, up to that number. */
    private void giveUp(long limit) {
        long first = expected;
        while (expected < limit && !(heldCount > 0 && used[slot(expected)])) {
            expected++;
        }
        if (expected > first) {
            output.onHole(first, expected - first);
        }
        progressNs = Math.max(progressNs, filledNs);
        handOnHeld();
    }

    private void handOnHeld() {
        int before = heldCount;
        while (heldCount > 0 && used[slot(expected)]) {
            int slot = slot(expected);
            used[slot] = false;
            heldCount--;
            output.onBlock(held, slot * BlockView.DATA_LENGTH, expected, arrivals[slot]);
            expected++;
        }
        if (heldCount == 0) {
            patienceNs = PATIENCE_NS;
        } else if (heldCount < before) {
            oldestNs = oldestHeldNs();
        }
    }

    private long oldestHeldNs() {
        long oldest = Long.MAX_VALUE;
        for (int slot = 0; slot < slots; slot++) {
            oldest = used[slot] ? Math.min(oldest, sinceNs[slot]) : oldest;
        }
        return oldest;
    }

    private int slot(long number) {
        return (int) number & (slots - 1);
    }

    /**
     * The numbers of recent blocks that never came, which have fillers. Stored by their last digits, because older ones
     * do not come any more. Owned by the recorder's thread; allocates nothing after construction.
     */
    static final class Holes {
        private static final long NONE = -1;

        private final long[] numbers = new long[BlockWindow.CAPACITY];

        Holes() {
            Arrays.fill(numbers, NONE);
        }

        void add(long number) {
            numbers[slot(number)] = number;
        }

        /** Removes a number; returns whether it was missing until now. */
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
}
