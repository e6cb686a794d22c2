package org.mavlogd.vehicle.ardupilot;

import java.util.Arrays;
import java.util.List;
import org.mavlogd.feed.BlockHash;

/**
 * Judges each block of one log by its number and its content, and knows which are missing.
 *
 * <p>Numbers are unsigned 32 bit and do not wrap: 2^32 blocks are years. A vehicle keeps at most 255 blocks that were not
 * acknowledged, so it can be no further ahead than {@link #MAX_AHEAD}, and what is {@link #WINDOW} behind will not come
 * any more. A block with a known number and other content is of another log. Owned by the session's thread; allocates
 * nothing after construction. Hot path.
 */
final class BlockTracker {
    /** How far behind the highest number a block may still come. */
    static final int WINDOW = 1024;

    /** How far ahead of the highest number a block may be: twice what a vehicle can hold. */
    static final int MAX_AHEAD = 512;

    private static final int MASK = WINDOW - 1;

    enum Verdict {
        /** Not here yet. */
        NEW,
        /** Here since before. */
        REPEAT,
        /** Here since before by its number; nobody remembers the content. */
        UNSURE,
        /** Not of this log: other content under a known number, or a number that cannot be. */
        OTHER
    }

    private final long[] hashes = new long[WINDOW];
    private final boolean[] taken = new boolean[WINDOW];
    private final int[] nacks = new int[WINDOW];
    private final long[] nackedNs = new long[WINDOW];
    private final boolean[] lackedBefore = new boolean[WINDOW];
    private long highest = -1;
    private long firstHash;
    private int missing;
    private int missingBefore;

    /**
     * A new log, or one of which the blocks before {@code next} are here.
     *
     * @param newFirstHash of block 0, when that is here
     * @param stillMissing numbers before {@code next} that are not here; the vehicle need not have them either
     */
    void reset(long next, long newFirstHash, List<Long> stillMissing, long nowNs) {
        Arrays.fill(taken, true);
        Arrays.fill(hashes, BlockHash.UNKNOWN);
        highest = next - 1;
        firstHash = newFirstHash;
        missing = 0;
        Arrays.fill(lackedBefore, false);
        missingBefore = 0;
        for (long number : stillMissing) {
            if (number < next && next - number <= WINDOW) {
                miss(slot(number), nowNs);
                lackedBefore[slot(number)] = true;
                missingBefore++;
            }
        }
    }

    /** The highest number so far; -1 before the first. */
    long highest() {
        return highest;
    }

    /** How many blocks are missing that may still come. */
    int missing() {
        return missing;
    }

    /** How many of those were missing when an earlier run ended: the vehicle may have let them go since long. */
    int missingBefore() {
        return missingBefore;
    }

    Verdict judge(long number, long hash) {
        if (number > highest) {
            return number - highest > MAX_AHEAD ? Verdict.OTHER : Verdict.NEW;
        }
        if (number == 0) {
            return firstHash == hash && highest < WINDOW ? Verdict.REPEAT : Verdict.OTHER;
        }
        if (highest - number >= WINDOW) {
            return Verdict.OTHER;
        }
        if (!taken[slot(number)]) {
            return Verdict.NEW;
        }
        long known = hashes[slot(number)];
        if (known == BlockHash.UNKNOWN) {
            return Verdict.UNSURE;
        }
        return known == hash ? Verdict.REPEAT : Verdict.OTHER;
    }

    /** The block, which is {@link Verdict#NEW}, is stored; what it leaves out is missing from now on. */
    void accept(long number, long hash, long nowNs) {
        if (number == 0) {
            firstHash = hash;
        }
        if (number > highest) {
            for (long skipped = highest + 1; skipped < number; skipped++) {
                miss(slot(skipped), nowNs);
            }
            highest = number;
        }
        leave(slot(number));
        taken[slot(number)] = true;
        hashes[slot(number)] = hash;
    }

    private void miss(int slot, long nowNs) {
        leave(slot);
        taken[slot] = false;
        nacks[slot] = 0;
        nackedNs[slot] = nowNs;
        missing++;
    }

    /** The number that was in the slot is here, or behind the window now. */
    private void leave(int slot) {
        if (!taken[slot]) {
            missing--;
            missingBefore -= lackedBefore[slot] ? 1 : 0;
        }
        lackedBefore[slot] = false;
    }

    /** How often the block was asked for. */
    int nacks(long number) {
        return nacks[slot(number)];
    }

    /** When that was last, or when it was missed first. */
    long nackedNs(long number) {
        return nackedNs[slot(number)];
    }

    void nacked(long number, long nowNs) {
        nacks[slot(number)]++;
        nackedNs[slot(number)] = nowNs;
    }

    /** The lowest number from there on that is missing; {@link #highest} plus one when there is none. */
    long nextMissing(long from) {
        long number = Math.max(from, Math.max(0, highest - WINDOW + 1));
        while (number <= highest && taken[slot(number)]) {
            number++;
        }
        return number;
    }

    private static int slot(long number) {
        return (int) number & MASK;
    }
}
