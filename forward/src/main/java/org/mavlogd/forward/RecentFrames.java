package org.mavlogd.forward;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.mavlink.FrameLayout;

/**
 * Detects frames that arrive again: on another path, or in a loop through a router that detects none. Senders that do
 * not count their frames may repeat them. Remembers a fixed number of frames; if there are more, the oldest are
 * forgotten earlier. Owned by one thread. Hot path.
 */
final class RecentFrames {
    /** Longer than the delay of any path through other routers. */
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Frames in a row with the same sequence number that show that their sender does not count. More than there are
     * parallel paths.
     */
    static final int UNCOUNTED = 8;

    /** Frames that arrive again sooner are in a loop, whether their sender counts or not. */
    static final long SHORTEST_REPEAT_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int WAYS = 4;
    private static final int CAPACITY = 1 << 14;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;
    private final long[] hashes = new long[CAPACITY];
    // When each frame arrived last, and when it last was no copy. Copies do not prolong the window: numbers of a sender
    // with many frames repeat within it, and a message that stays the same would disappear.
    private final long[] timesNs = new long[CAPACITY];
    private final long[] passedNs = new long[CAPACITY];
    private final int[] endpoints = new int[CAPACITY];
    // By sender: sequence number of its last frame in bits 0 to 7, and the number of consecutive frames with it above.
    private final short[] runs = new short[1 << Short.SIZE];

    /** @param seed so that nobody can create frames that are mistaken for copies */
    RecentFrames(long seed, long nowNs) {
        this.seed = seed;
        Arrays.fill(timesNs, nowNs - WINDOW_NS);
        Arrays.fill(passedNs, nowNs - WINDOW_NS);
    }

    /**
     * Whether the same bytes arrived just before, and not because their sender repeats them; remembers the frame.
     *
     * @param endpoint a number that no other endpoint has or had
     */
    boolean isCopy(int endpoint, byte[] frame, int offset, int length, long nowNs) {
        long hash = hash(frame, offset, length);
        int set = (int) hash & (CAPACITY - WAYS);
        int oldest = set;
        for (int at = set; at < set + WAYS; at++) {
            if (hashes[at] == hash) {
                if (nowNs - passedNs[at] < WINDOW_NS) {
                    boolean isSoon = nowNs - timesNs[at] < SHORTEST_REPEAT_NS;
                    boolean isCopy = endpoints[at] != endpoint || isCounted(frame, offset) || isSoon;
                    timesNs[at] = nowNs;
                    passedNs[at] = isCopy ? passedNs[at] : nowNs;
                    return isCopy;
                }
                oldest = at; // a second entry of this frame would displace that of another
                break;
            }
            if (timesNs[at] - timesNs[oldest] < 0) {
                oldest = at;
            }
        }
        hashes[oldest] = hash;
        timesNs[oldest] = nowNs;
        passedNs[oldest] = nowNs;
        endpoints[oldest] = endpoint;
        boolean unused = isCounted(frame, offset);
        return false;
    }

    /** Whether the sender of a frame seems to count its frames. */
    private boolean isCounted(byte[] frame, int offset) {
        int source = FrameLayout.source(frame, offset);
        int sequence = FrameLayout.sequence(frame, offset);
        int last = runs[source];
        int run = (last & 0xFF) == sequence ? Math.min((last >>> Byte.SIZE) + 1, UNCOUNTED) : 1;
        runs[source] = (short) (run << Byte.SIZE | sequence);
        return run < UNCOUNTED;
    }

    private long hash(byte[] frame, int offset, int length) {
        long hash = seed ^ length;
        int at = offset;
        int end = offset + length;
        for (; end - at >= Long.BYTES; at += Long.BYTES) {
            hash = mixed(hash ^ LittleEndian.int64(frame, at));
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << Byte.SIZE | (frame[at] & 0xFF);
        }
        return mixed(hash ^ rest);
    }

    private static long mixed(long value) {
        long product = value * MULTIPLIER;
        return product ^ product >>> Integer.SIZE;
    }
}
