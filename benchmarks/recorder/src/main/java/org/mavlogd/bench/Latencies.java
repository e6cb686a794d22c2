package org.mavlogd.bench;

import java.util.Arrays;

/**
 * Times between a frame and its answer. One thread writes them; others may read their number at any time, and the times
 * after it has ended.
 */
final class Latencies {
    private static final double NS_PER_MS = 1e6;

    private long[] valuesNs = new long[4096];
    private volatile int count;

    void add(long ns) {
        int index = count;
        if (index == valuesNs.length) {
            valuesNs = Arrays.copyOf(valuesNs, 2 * index);
        }
        valuesNs[index] = ns;
        count = index + 1;
    }

    void addAll(Latencies other) {
        addAll(other, 0);
    }

    /** Adds those from the value number {@code first}. */
    void addAll(Latencies other, int first) {
        for (int i = first; i < other.count; i++) {
            add(other.valuesNs[i]);
        }
    }

    int count() {
        return count;
    }

    /** The value, in milliseconds, that the share {@code share} of all values does not exceed. */
    double ms(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(valuesNs, count);
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * count) - 1)] / NS_PER_MS;
    }
}
