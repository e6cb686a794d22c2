package org.mavlogd.bench;

import java.util.Arrays;

/** Times between a frame and its answer. Written by one thread, read when that has ended. */
final class Latencies {
    private static final double NS_PER_MS = 1e6;

    private long[] valuesNs = new long[4096];
    private int count;

    void add(long ns) {
        if (count == valuesNs.length) {
            valuesNs = Arrays.copyOf(valuesNs, 2 * count);
        }
        valuesNs[count++] = ns;
    }

    void addAll(Latencies other) {
        for (int i = 0; i < other.count; i++) {
            add(other.valuesNs[i]);
        }
    }

    int count() {
        return count;
    }

    /** The value that {@code share} of all do not exceed, in milliseconds. */
    double ms(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(valuesNs, count);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * count) - 1)] / NS_PER_MS;
    }
}
