package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.Arrays;
import org.mavlogd.memory.MemoryShare;

/**
 * Records that cannot be used yet, oldest first, in bounded memory. When there is no room the oldest have waited long
 * enough.
 *
 * <p>A ring of bytes with the entries' places beside it. Owned by the decoder's thread.
 */
final class HeldRecords {
    static final int MAX_BYTES = 1 << 20;
    static final int MAX_RECORDS = 1 << 15;

    /** What becomes of a record that waits no longer. */
    interface Release {
        void release(int type, byte[] buffer, int offset, int length, long position) throws IOException;
    }

    private static final int FIRST_BYTES = 4 << 10;
    private static final int FIRST_RECORDS = 64;
    // In the four lists.
    private static final int RECORD_BYTES = Integer.BYTES + 2 * Short.BYTES + Long.BYTES;

    private final MemoryShare share;
    private byte[] bytes = {};
    private int[] starts = {};
    private short[] lengths = {};
    private short[] types = {};
    private long[] positions = {};
    private int count;
    private int used;

    HeldRecords(MemoryShare share) {
        this.share = share;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether there is room for another record, or can be made. */
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
        return true;
    }

    /** Only where there {@link #hasRoom is room}. */
    void hold(int type, byte[] buffer, int offset, int length, long position) {
        System.arraycopy(buffer, offset, bytes, used, length);
        starts[count] = used;
        lengths[count] = (short) length;
        types[count] = (short) type;
        positions[count] = position;
        used += length;
        count++;
    }

    /** Releases the records of one type, in their order. */
    void release(int type, Release target) throws IOException {
        int kept = 0;
        int keptBytes = 0;
        for (int i = 0; i < count; i++) {
            if (types[i] == type) {
                target.release(type, bytes, starts[i], lengths[i], positions[i]);
            } else {
                move(i, kept++, keptBytes);
                keptBytes += lengths[i];
            }
        }
        count = kept;
        used = keptBytes;
    }

    /** Releases at least the oldest half: to make room one by one would move the others each time. */
    void releaseOldest(Release target) throws IOException {
        int gone = (count + 1) / 2;
        for (int i = 0; i < gone; i++) {
            target.release(types[i], bytes, starts[i], lengths[i], positions[i]);
        }
        int keptBytes = 0;
        for (int i = gone; i < count; i++) {
            move(i, i - gone, keptBytes);
            keptBytes += lengths[i];
        }
        count -= gone;
        used = keptBytes;
    }

    void releaseAll(Release target) throws IOException {
        for (int i = 0; i < count; i++) {
            target.release(types[i], bytes, starts[i], lengths[i], positions[i]);
        }
        count = 0;
        used = 0;
    }

    private void move(int from, int to, int byteOffset) {
        System.arraycopy(bytes, starts[from], bytes, byteOffset, lengths[from]);
        starts[to] = byteOffset;
        lengths[to] = lengths[from];
        types[to] = types[from];
        positions[to] = positions[from];
    }
}
