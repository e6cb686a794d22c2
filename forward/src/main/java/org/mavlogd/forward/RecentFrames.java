package org.mavlogd.forward;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.mavlogd.bytes.LittleEndian;

/**
 * Detects copies of a frame that come from another endpoint; the endpoint that sent it first may repeat it, because
 * some senders do not count their frames. Knows a fixed number of frames; when there are more, the oldest are forgotten
 * sooner. Owned by one thread. Hot path.
 */
final class RecentFrames {
    /** Longer than any way through other routers takes. */
    static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    private static final int WAYS = 4;
    private static final int CAPACITY = 1 << 14;
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final long seed;
    private final long[] hashes = new long[CAPACITY];
    private final long[] timesNs = new long[CAPACITY];
    private final int[] endpoints = new int[CAPACITY];

    /** @param seed so that nobody can make frames that are taken for copies */
    RecentFrames(long seed, long nowNs) {
        this.seed = seed;
        Arrays.fill(timesNs, nowNs - WINDOW_NS);
    }

    /**
     * Whether the same bytes came from another endpoint just before; remembers the frame.
     *
     * @param endpoint a number that no other endpoint has or had
     */
    boolean isCopy(int endpoint, byte[] frame, int offset, int length, long nowNs) {
        long hash = hash(frame, offset, length);
        int set = (int) hash & (CAPACITY - WAYS);
        int oldest = set;
        for (int at = set; at < set + WAYS; at++) {
            if (hashes[at] == hash && nowNs - timesNs[at] < WINDOW_NS) {
                timesNs[at] = nowNs;
                return endpoints[at] != endpoint;
            }
            if (timesNs[at] - timesNs[oldest] < 0) {
                oldest = at;
            }
        }
        hashes[oldest] = hash;
        timesNs[oldest] = nowNs;
        endpoints[oldest] = endpoint;
        return false;
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
