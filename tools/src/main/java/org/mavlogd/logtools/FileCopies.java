package org.mavlogd.logtools;

import java.util.Arrays;
import java.util.BitSet;

/** A file out of a log: its chunks, put together. A chunk for its begin starts it anew. */
public final class FileCopies {
    static final int CHUNK_BYTES = 64;

    private final String name;
    private int copies;
    private byte[] kept = {};
    private boolean isKeptWhole;
    private boolean isKeptEnded;
    private byte[] data = {};
    private final BitSet there = new BitSet();
    private int size;
    private boolean ended;

    FileCopies(String name) {
        this.name = name;
    }

    /** As the vehicle calls it; any text. */
    public String name() {
        return name;
    }

    /** How often it was logged, at least in part. */
    public int copies() {
        return copies;
    }

    /** The bytes of the best copy; what is missing in it is zero. */
    public byte[] bytes() {
        return (isKeptWhole && !isWhole()) ? kept.clone() : Arrays.copyOf(data, size);
    }

    /** Whether there is a copy without a gap. */
    public boolean isComplete() {
        return isKeptWhole || isWhole();
    }

    /**
     * Whether the best copy's last chunk is a short one, which marks the end. A file that fills its last chunk has none; then
     * nothing tells whether more would have come.
     */
    public boolean isEndMarked() {
        return (isKeptWhole && !isWhole()) ? isKeptEnded : ended;
    }

    /** How many bytes are missing of the best copy, as far as can be told. */
    public int missingBytes() {
        return isComplete() ? 0 : Math.max(0, size - there.cardinality());
    }

    /** Adds a chunk; returns by how many bytes more than before are kept. */
    long add(int offset, byte[] chunk, int length) {
        long before = (long) kept.length + data.length;
        if (offset == 0 || copies == 0) {
            begin();
        }
        if (offset + length > data.length) {
            data = Arrays.copyOf(
                    data, Math.max(offset + length, Math.min(data.length * 2, LoggedFiles.MAX_FILE_BYTES)));
        }
        System.arraycopy(chunk, 0, data, offset, length);
        there.set(offset, offset + length);
        size = Math.max(size, offset + length);
        ended |= length < CHUNK_BYTES;
        return kept.length + data.length - before;
    }

    private void begin() {
        if (copies > 0 && isWhole()) {
            kept = Arrays.copyOf(data, size);
            isKeptWhole = true;
            isKeptEnded = ended;
        }
        copies++;
        data = new byte[CHUNK_BYTES];
        there.clear();
        size = 0;
        ended = false;
    }

    /** Without a gap from the begin to the last chunk; of two such copies the longer one counts. */
    private boolean isWhole() {
        return there.nextClearBit(0) >= size && (ended || (size > 0 && size >= kept.length));
    }
}
