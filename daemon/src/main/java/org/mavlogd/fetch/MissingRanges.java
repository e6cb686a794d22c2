package org.mavlogd.fetch;

import java.util.Arrays;

/** The missing bytes of a log: ordered ranges that do not touch, at most {@link #MAX_RANGES}. Owned by one thread. */
public final class MissingRanges {
    /**
     * A link never causes this many gaps, although every second piece of 90 bytes in the largest file would be more.
     */
    static final int MAX_RANGES = 8192;

    private final long length;
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private int count;
    private long bytes;

    private MissingRanges(long length) {
        this.length = length;
    }

    /** All bytes of a log of that length. */
    public static MissingRanges allOf(long length) {
        MissingRanges all = noneOf(length);
        all.add(0, length);
        return all;
    }

    /** No bytes of a log of that length. */
    public static MissingRanges noneOf(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length " + length);
        }
        return new MissingRanges(length);
    }

    public MissingRanges copy() {
        MissingRanges copy = new MissingRanges(length);
        copy.starts = starts.clone();
        copy.ends = ends.clone();
        copy.count = count;
        copy.bytes = bytes;
        return copy;
    }

    /** The length of the log. */
    public long length() {
        return length;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** How many bytes are missing. */
    public long bytes() {
        return bytes;
    }

    public int count() {
        return count;
    }

    public long start(int index) {
        return starts[index];
    }

    public long end(int index) {
        return ends[index];
    }

    /** Whether any byte of a range is missing. */
    public boolean touches(long start, long end) {
        int at = firstEndingAfter(start);
        return start < end && at < count && starts[at] < end;
    }

    /** Whether {@link #remove} would stay within the limit. */
    public boolean mayRemove(long start, long end) {
        int at = firstEndingAfter(start);
        boolean splits = at < count && starts[at] < start && end < ends[at];
        return !splits || count < MAX_RANGES;
    }

    /**
     * A range was received.
     *
     * @throws IllegalStateException if there would be too many ranges
     */
    public void remove(long start, long end) {
        check(start, end);
        if (start == end) {
            return;
        }
        int at = firstEndingAfter(start);
        if (at < count && starts[at] < start && end < ends[at]) {
            insert(at, starts[at], start);
            starts[at + 1] = end;
            bytes -= end - start;
            return;
        }
        if (at < count && starts[at] < start) {
            bytes -= ends[at] - start;
            ends[at] = start;
            at++;
        }
        int keep = at;
        while (keep < count && ends[keep] <= end) {
            bytes -= ends[keep] - starts[keep];
            keep++;
        }
        drop(at, keep);
        if (at < count && starts[at] < end) {
            bytes -= end - starts[at];
            starts[at] = end;
        }
    }

    /** A range is missing after all; it may overlap others. */
    public void add(long start, long end) {
        check(start, end);
        if (start == end) {
            return;
        }
        int at = firstEndingAfter(start - 1);
        long from = start;
        long to = end;
        int keep = at;
        while (keep < count && starts[keep] <= end) {
            from = Math.min(from, starts[keep]);
            to = Math.max(to, ends[keep]);
            bytes -= ends[keep] - starts[keep];
            keep++;
        }
        drop(at, keep);
        insert(at, from, to);
        bytes += to - from;
    }

    private void check(long start, long end) {
        if (start < 0 || end < start || end > length) {
            throw new IllegalArgumentException("range " + start + " to " + end + " of " + length);
        }
    }

    private int firstEndingAfter(long position) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void drop(int from, int to) {
        System.arraycopy(starts, to, starts, from, count - to);
        System.arraycopy(ends, to, ends, from, count - to);
        count -= to - from;
    }

    private void insert(int at, long start, long end) {
        if (count >= MAX_RANGES) {
            throw new IllegalStateException("more than " + MAX_RANGES + " missing ranges");
        }
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        System.arraycopy(starts, at, starts, at + 1, count - at);
        System.arraycopy(ends, at, ends, at + 1, count - at);
        starts[at] = start;
        ends[at] = end;
        count++;
    }
}
