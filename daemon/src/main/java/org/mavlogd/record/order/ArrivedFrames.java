package org.mavlogd.record.order;

import java.util.Arrays;
import org.mavlogd.feed.FrameTrail;

/**
 * Records which of a vehicle's last {@link #MEMORY} MAVLink frames arrived, in any order, from the {@link FrameTrail}
 * of each chunk. A vehicle numbers its frames, so a chunk that was lost on the link leaves a hole in the numbers
 * between its neighbours, and one that was never sent does not. Owned by the recorder's thread. Hot path.
 */
final class ArrivedFrames {
    /** The result if the numbers do not show it. */
    static final int UNKNOWN = -1;

    private static final int MEMORY = 512;
    private static final int RANGE = 0x1_0000;
    // The numbers come from 8 bits: a larger distance is not reliable.
    private static final int FURTHEST = 191;

    // The bit of a frame is at its number's negative, so that older frames follow, as in a trail.
    private final long[] bits = new long[MEMORY / Long.SIZE];
    private boolean started;
    private int newest;

    /** Takes the trail of the chunk that arrived last. */
    void learn(long trail) {
        int number = FrameTrail.number(trail);
        advance(number);
        long arrived = FrameTrail.arrived(trail);
        int before = number - 1;
        bits[word(number)] |= bit(number);
        bits[word(before)] |= arrived << -before;
        // Bits that the shift moved out belong to the next word; two shifts, because one of 64 does nothing.
        bits[word(before - Long.SIZE)] |= arrived >>> 1 >>> (before - 1);
    }

    /** How many of the frames between these two did not arrive; {@link #UNKNOWN} if too far apart. */
    int missingBetween(int from, int to) {
        int distance = (to - from) & (RANGE - 1);
        if (distance == 0 || distance > FURTHEST) {
            return UNKNOWN;
        }
        int missing = 0;
        for (int i = 1; i < distance; i++) {
            missing += isSet(from + i) ? 0 : 1;
        }
        return missing;
    }

    private void advance(int number) {
        int ahead = (short) (number - newest);
        if (!started || ahead >= MEMORY || ahead <= Long.SIZE - MEMORY) {
            started = true;
            Arrays.fill(bits, 0);
            newest = number;
            return;
        }
        for (int i = 1; i <= ahead; i++) {
            clear(newest + i);
        }
        newest = ahead > 0 ? number : newest;
    }

    private boolean isSet(int number) {
        return (bits[word(number)] & bit(number)) != 0;
    }

    private void clear(int number) {
        bits[word(number)] &= ~bit(number);
    }

    private static long bit(int number) {
        return 1L << -number;
    }

    private static int word(int number) {
        return (-number & (MEMORY - 1)) / Long.SIZE;
    }
}
