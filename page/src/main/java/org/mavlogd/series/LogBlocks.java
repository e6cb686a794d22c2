package org.mavlogd.series;

import java.util.Arrays;
import org.mavlogd.ulog.ULogException;

/**
 * A log divided into blocks of complete messages without damage between them: position, times and topics of each block.
 * Takes some hundred bytes for every {@value #BLOCK_BYTES} of the log.
 */
final class LogBlocks {
    static final int BLOCK_BYTES = 256 * 1024;
    /** 4 GiB in full blocks take 16,000. */
    static final int MAX_BLOCKS = 131_072;

    /** Maximum number of topics listed for a block; blocks with more are read for every topic. */
    private static final int MAX_LISTED = 512;

    private static final short[] ALL = {};

    private long[] positions = new long[64];
    private long[] ends = new long[64];
    private int[] middles = new int[64];
    private long[] firstUs = new long[64];
    private long[] lastUs = new long[64];
    private short[][] topics = new short[64][];
    private final short[] listed = new short[MAX_LISTED];
    private int listedCount;
    private int size;
    private boolean isCut = true;
    private long bytes;

    /** Adds a message; it starts a block if it does not follow the last one, or that block is full. */
    void onMessage(long position, int length) throws ULogException {
        boolean follows = !isCut && ends[size - 1] == position;
        if (!follows || position + length - positions[size - 1] > BLOCK_BYTES) {
            begin(position);
        }
        int last = size - 1;
        if (position - positions[last] <= BLOCK_BYTES / 2) {
            middles[last] = (int) (position - positions[last]);
        }
        ends[last] = position + length;
    }

    /** Makes the next message start a block. */
    void cut() {
        isCut = true;
    }

    private void begin(long position) throws ULogException {
        if (size == MAX_BLOCKS) {
            throw new ULogException("damaged or declared again at more places than " + MAX_BLOCKS
                    + ": 'mavlogd recover' makes an intact copy");
        }
        seal();
        if (size == positions.length) {
            grow(2 * size);
        }
        positions[size] = position;
        firstUs[size] = Long.MAX_VALUE;
        lastUs[size] = Long.MIN_VALUE;
        topics[size] = ALL;
        listedCount = 0;
        size++;
        isCut = false;
    }

    private void seal() {
        if (size > 0) {
            topics[size - 1] = listedCount > MAX_LISTED ? ALL : sorted();
            bytes += 52 + 2L * topics[size - 1].length;
        }
    }

    private short[] sorted() {
        short[] numbers = Arrays.copyOf(listed, listedCount);
        Arrays.sort(numbers);
        return numbers;
    }

    private void grow(int capacity) {
        positions = Arrays.copyOf(positions, capacity);
        ends = Arrays.copyOf(ends, capacity);
        middles = Arrays.copyOf(middles, capacity);
        firstUs = Arrays.copyOf(firstUs, capacity);
        lastUs = Arrays.copyOf(lastUs, capacity);
        topics = Arrays.copyOf(topics, capacity);
    }

    /** Counts a sample of the last message. Hot path. */
    void onSample(IndexedTopic topic, long timeUs) {
        int last = size - 1;
        firstUs[last] = Math.min(firstUs[last], timeUs);
        lastUs[last] = Math.max(lastUs[last], timeUs);
        if (topic.count(timeUs, last)) {
            if (listedCount < MAX_LISTED) {
                listed[listedCount] = (short) topic.number();
            }
            listedCount = Math.min(listedCount + 1, MAX_LISTED + 1);
        }
    }

    int size() {
        return size;
    }

    long position(int block) {
        return positions[block];
    }

    long end(int block) {
        return ends[block];
    }

    /** Start of a message near the middle of a full block, or of any message in a block that is not full. */
    long middle(int block) {
        return positions[block] + middles[block];
    }

    /** The first block that ends after a position. */
    int firstBehind(long position) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** End of the last message. */
    long end() {
        return size == 0 ? 0 : ends[size - 1];
    }

    boolean overlaps(int block, long fromUs, long toUs) {
        return firstUs[block] <= toUs && lastUs[block] >= fromUs;
    }

    /** Whether a block may have samples of a topic. */
    boolean mayHave(int block, IndexedTopic topic) {
        short[] numbers = topics[block];
        boolean isOpen = block == size - 1;
        boolean isUnlisted = numbers.length == 0 && firstUs[block] <= lastUs[block];
        return topic.reaches(block)
                && (isOpen || isUnlisted || Arrays.binarySearch(numbers, (short) topic.number()) >= 0);
    }

    /** Approximate heap, in bytes. */
    long bytes() {
        return bytes + 52L * positions.length / 2;
    }
}
