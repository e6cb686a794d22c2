package org.mavlogd.vehicle.ardupilot;

import java.util.Arrays;
import java.util.List;
import org.mavlogd.feed.BlockHash;

/**
 * Tracks the blocks of one log by number and content: which are new, repeats or missing.
 *
 * <p>Numbers are unsigned 32 bit and do not wrap: 2^32 blocks take years. A vehicle keeps at most 255 unacknowledged
 * blocks, so it can be no further ahead than {@link #MAX_AHEAD}, and blocks that are {@link #WINDOW} behind will not
 * come any more. A block with a known number and other content belongs to another log.
 *
 * <p>Each missing block costs a filler on the disk, so received blocks must justify it: as many may be missing as a
 * vehicle can hold, and one more for each {@link #BLOCKS_PER_HOLE} received. A late block is no longer missing. Owned
 * by the session's thread; allocates nothing after construction. Hot path.
 */
final class BlockTracker {
    /** How far behind the highest number a block may still come. */
    static final int WINDOW = 1024;

    /** How far ahead of the highest number a block may be: twice what a vehicle can hold. */
    static final int MAX_AHEAD = 512;

    /**
     * Received blocks that justify one that never comes. A vehicle repeats all blocks, so hardly any is lost for good.
     */
    static final int BLOCKS_PER_HOLE = 4;

    /** Blocks that may be missing in any new log; beyond {@link #HELD} in total they must be justified. */
    static final int MISSING_IN_NEW_LOG = 64;

    /** More than a vehicle holds unacknowledged. */
    static final int HELD = 256;

    private static final int MASK = WINDOW - 1;

    enum Verdict {
        /** Not received yet. */
        NEW,
        /** Received before. */
        REPEAT,
        /** Received before by its number; its content is no longer known. */
        UNSURE,
        /** Of another log: other content under a known number, or an impossible number. */
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
    // How many more blocks may be missing, over all logs of the vehicle; else each new log would allow as many again.
    private long holesLeft = HELD;
    private int received;

    /**
     * Starts a new log, or one whose blocks before {@code next} were received.
     *
     * @param newFirstHash of block 0, if that was received
     * @param stillMissing numbers before {@code next} that were not received; the vehicle need not have them any more
     */
    void reset(long next, long newFirstHash, List<Long> stillMissing, long nowNs) {
        Arrays.fill(taken, true);
        Arrays.fill(hashes, BlockHash.UNKNOWN);
        highest = next - 1;
        firstHash = newFirstHash;
        missing = 0;
        // Blocks that a killed run had acknowledged and not written may be missing once.
        holesLeft = Math.max(holesLeft, next == 0 ? MISSING_IN_NEW_LOG : MAX_AHEAD);
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

    /** How many of those were already missing when an earlier run ended: the vehicle may have dropped them. */
    int missingBefore() {
        return missingBefore;
    }

    Verdict judge(long number, long hash) {
        if (number > highest) {
            return number - highest > Math.min(MAX_AHEAD, holesLeft + 1) ? Verdict.OTHER : Verdict.NEW;
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

    /** Notes that a {@link Verdict#NEW} block is stored; the numbers that it skips are missing from now on. */
    void accept(long number, long hash, long nowNs) {
        if (number == 0) {
            firstHash = hash;
        }
        if (number > highest) {
            for (long skipped = highest + 1; skipped < number; skipped++) {
                miss(slot(skipped), nowNs);
            }
            holesLeft -= number - highest - 1;
            highest = number;
        } else {
            holesLeft++;
        }
        justify();
        leave(slot(number));
        taken[slot(number)] = true;
        hashes[slot(number)] = hash;
    }

    private void justify() {
        received++;
        if (received == BLOCKS_PER_HOLE) {
            received = 0;
            holesLeft++;
        }
    }

    private void miss(int slot, long nowNs) {
        leave(slot);
        taken[slot] = false;
        nacks[slot] = 0;
        nackedNs[slot] = nowNs;
        missing++;
    }

    /** Frees a slot whose number was received, or is now behind the window. */
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

    /** When it was last asked for, or when it was first missed. */
    long nackedNs(long number) {
        return nackedNs[slot(number)];
    }

    void nacked(long number, long nowNs) {
        nacks[slot(number)]++;
        nackedNs[slot(number)] = nowNs;
    }

    /** The lowest missing number from there on; {@link #highest} plus one if there is none. */
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
