package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.Arrays;
import org.mavlogd.memory.MemoryShare;

/**
 * Records that wait for their definitions, oldest first, in bounded memory. When it is full, the oldest are released.
 *
 * <p>The records of each type are a linked list, so that a release does not visit the others. Released records leave
 * empty slots; the remaining ones are compacted when a quarter of the slots is empty. So the cost of a release depends
 * only on the number of released records. Owned by the decoder's thread.
 */
final class HeldRecords {
    static final int MAX_BYTES = 1 << 20;
    static final int MAX_RECORDS = 1 << 15;

    /** Receives the records that no longer wait. */
    interface Release {
        void release(int type, byte[] buffer, int offset, int length, long position) throws IOException;
    }

    private static final int FIRST_BYTES = 4 << 10;
    private static final int FIRST_RECORDS = 64;
    // Per slot, in the five arrays.
    private static final int RECORD_BYTES = Integer.BYTES + 3 * Short.BYTES + Long.BYTES;
    private static final short NONE = -1;
    private static final short RELEASED = -1;

    private final MemoryShare share;
    private byte[] bytes = {};
    private int[] starts = {};
    private short[] lengths = {};
    private short[] types = {};
    private long[] positions = {};
    // First and last slot of each type's list, and the next slot of each slot.
    private final short[] first = new short[DataFlashLayout.TYPES];
    private final short[] last = new short[DataFlashLayout.TYPES];
    private short[] next = {};
    // Slots in use, including those of released records.
    private int count;
    private int released;
    private int used;

    HeldRecords(MemoryShare share) {
        this.share = share;
        clear();
    }

    private void clear() {
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
        count = 0;
        released = 0;
        used = 0;
    }

    boolean isEmpty() {
        return count == released;
    }

    /** Whether there is room for another record; grows the arrays if needed. */
    boolean hasRoom(int length) {
        return count < MAX_RECORDS && used + length <= MAX_BYTES && growBytes(used + length) && growRecords();
    }

    private boolean growBytes(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int grown = Math.min(MAX_BYTES, Math.max(needed, Math.max(FIRST_BYTES, 2 * bytes.length)));
        if (!share.reserve(grown)) {
            return false;
        }
        share.release(bytes.length);
        bytes = Arrays.copyOf(bytes, grown);
        return true;
    }

    private boolean growRecords() {
        if (count < starts.length) {
            return true;
        }
        int grown = Math.max(FIRST_RECORDS, 2 * starts.length);
        if (!share.reserve((long) grown * RECORD_BYTES)) {
            return false;
        }
        share.release((long) starts.length * RECORD_BYTES);
        starts = Arrays.copyOf(starts, grown);
        lengths = Arrays.copyOf(lengths, grown);
        types = Arrays.copyOf(types, grown);
        positions = Arrays.copyOf(positions, grown);
        next = Arrays.copyOf(next, grown);
        return true;
    }

    /** Stores a record; only if {@link #hasRoom there is room}. */
    void hold(int type, byte[] buffer, int offset, int length, long position) {
        System.arraycopy(buffer, offset, bytes, used, length);
        starts[count] = used;
        lengths[count] = (short) length;
        types[count] = (short) type;
        positions[count] = position;
        next[count] = NONE;
        if (last[type] == NONE) {
            first[type] = (short) count;
        } else {
            next[last[type]] = (short) count;
        }
        last[type] = (short) count;
        used += length;
        count++;
    }

    /** Releases the records of one type, in order. */
    void release(int type, Release target) throws IOException {
        if (first[type] == NONE) {
            return;
        }
        for (int i = first[type]; i != NONE; i = next[i]) {
            target.release(type, bytes, starts[i], lengths[i], positions[i]);
            types[i] = RELEASED;
            released++;
        }
        first[type] = NONE;
        last[type] = NONE;
        if (released >= count / 4) {
            keepFrom(0);
        }
    }

    /**
     * Releases the records in the older half of all slots; releasing one at a time would move the others every time.
     */
    void releaseOldest(Release target) throws IOException {
        int half = (count + 1) / 2;
        releaseUntil(half, target);
        keepFrom(half);
    }

    void releaseAll(Release target) throws IOException {
        releaseUntil(count, target);
        clear();
    }

    private void releaseUntil(int end, Release target) throws IOException {
        for (int i = 0; i < end; i++) {
            if (types[i] != RELEASED) {
                target.release(types[i], bytes, starts[i], lengths[i], positions[i]);
            }
        }
    }

    /** Moves the records from this slot on to the front, without the empty slots. */
    private void keepFrom(int begin) {
        int end = count;
        clear();
        for (int i = begin; i < end; i++) {
            if (types[i] != RELEASED) {
                hold(types[i], bytes, starts[i], lengths[i], positions[i]);
            }
        }
    }
}
