package org.mavlogd.dataflash;

import java.io.IOException;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.memory.MemoryShare;

/**
 * Finds the records in a DataFlash log, fed in pieces of any size, and skips damaged bytes.
 *
 * <p>There are no checksums: a record counts as intact if another record follows it. If only one of the next record's
 * two sync bytes is present, the next record is taken to be damaged. If neither is, the damage may have started inside
 * the record, and it is dropped: a value that was never logged is worse than a missing record. After damage, records
 * resume where a header of a declared type is followed by another header at the end of that record. Definitions apply
 * from their place in the log; records of undeclared types wait in bounded memory ({@link Handler#onUndeclared}).
 *
 * <p>Never throws because of input. Records allocate nothing. Memory: 72 KiB, for a stream 4 KiB, and up to 1.5 MiB for
 * waiting records. Owned by one thread.
 */
public final class DataFlashDecoder {
    /**
     * Receives the results of a {@link DataFlashDecoder}. An exception thrown here ends the decoding and is passed to
     * the caller.
     */
    public interface Handler {
        /**
         * A complete record of a declared type, definitions included. Hot path.
         *
         * @param buffer valid only during the call
         * @param offset of the record's header; the record has {@link RecordType#length()} bytes
         */
        void onRecord(RecordType type, byte[] buffer, int offset) throws IOException;

        /** Bytes that are not records, or that belong to a damaged record. */
        default void onDamage(long position, long length) throws IOException {}

        /** The incomplete last record of a truncated log. */
        default void onCut(long position, long length) throws IOException {}

        /**
         * A record of a type that was not declared before the log ended, or before the memory for waiting records was
         * full.
         */
        default void onUndeclared(int type, long position, int length) throws IOException {}
    }

    /** Whether records of a type wait until its FMTU arrives. */
    public enum Units {
        WAIT,
        DO_NOT_WAIT
    }

    /** Bytes needed to judge: an undeclared record, the next record, and the header after it. */
    private static final int SIGHT = 2 * DataFlashLayout.MAX_RECORD_LENGTH + DataFlashLayout.HEADER_LENGTH;

    private static final int WINDOW_BYTES = 72 * 1024;
    // For data that arrives block by block; large enough to skip a gap at once.
    private static final int STREAM_WINDOW_BYTES = 4 * 1024;

    private enum Mark {
        WHOLE,
        HALF,
        NONE
    }

    private final Definitions definitions;
    private final Handler handler;
    private final PendingRecords waiting;
    private final byte[] window;
    private int start;
    private int end;
    private long windowPosition;
    private boolean last;
    private boolean lost;
    private long lostFrom;

    /**
     * Creates a decoder for one log.
     *
     * @param definitions extended by those in the log; may have all definitions from an earlier pass
     */
    public DataFlashDecoder(Definitions definitions, Units units, Handler handler) {
        this(definitions, units, handler, MemoryShare.unlimited(), WINDOW_BYTES);
    }

    private DataFlashDecoder(
            Definitions definitions, Units units, Handler handler, MemoryShare share, int windowBytes) {
        this.definitions = definitions;
        this.handler = handler;
        this.waiting = new PendingRecords(definitions, handler, units == Units.WAIT, share);
        this.window = new byte[windowBytes];
    }

    /** A decoder for a log that arrives in small pieces; records wait in memory from {@code share}. */
    static DataFlashDecoder ofStream(Definitions definitions, Units units, Handler handler, MemoryShare share) {
        return new DataFlashDecoder(definitions, units, handler, share, STREAM_WINDOW_BYTES);
    }

    /** The current definitions, which the decoder extends. */
    public Definitions definitions() {
        return definitions;
    }

    /** Takes the next bytes of the log. The last half KiB is held until more bytes arrive. */
    public void feed(byte[] buffer, int offset, int length) throws IOException {
        int from = offset;
        int to = offset + length;
        while (from < to) {
            int count = Math.min(to - from, window.length - end);
            System.arraycopy(buffer, from, window, end, count);
            end += count;
            from += count;
            walk();
            compact();
        }
    }

    /**
     * Adopts types that the log declared before the part that is read here; declarations in this part take precedence.
     */
    void learn(Definitions earlier) throws IOException {
        waiting.learn(earlier);
    }

    /** Ends the log: held bytes and records are judged and passed on. */
    public void finish() throws IOException {
        last = true;
        walk();
        waiting.finish();
    }

    private void compact() {
        System.arraycopy(window, start, window, 0, end - start);
        windowPosition += start;
        end -= start;
        start = 0;
    }

    private void walk() throws IOException {
        while (start < end && (last || end - start >= SIGHT)) {
            if (lost) {
                seek();
            } else {
                follow();
                if (!lost && start < end && (last || end - start >= SIGHT)) {
                    step();
                }
            }
        }
    }

    /** Hot path: consecutive records, as long as enough bytes are available and nothing is unusual. */
    private void follow() throws IOException {
        byte[] bytes = window;
        int at = start;
        int limit = end - SIGHT;
        while (at <= limit && isHeader(bytes, at)) {
            RecordType type = definitions.type(bytes[at + DataFlashLayout.TYPE_OFFSET] & 0xFF);
            if (type == null) {
                break;
            }
            int next = at + type.length();
            if (!isHeader(bytes, next)) {
                break;
            }
            start = next;
            waiting.onRecord(type, bytes, at, windowPosition + at);
            at = next;
        }
        start = at;
    }

    private static boolean isHeader(byte[] bytes, int at) {
        return bytes[at] == DataFlashLayout.HEAD_1 && bytes[at + 1] == DataFlashLayout.HEAD_2;
    }

    /** Handles one unusual record: the last one, an undeclared one, or one next to damage. */
    private void step() throws IOException {
        int at = start;
        if (end - at < DataFlashLayout.HEADER_LENGTH) {
            cutOrDamage(at);
            return;
        }
        if (!isHeader(window, at)) {
            lose(at, at + 1);
            return;
        }
        RecordType type = definitions.type(LittleEndian.uint8(window, at + DataFlashLayout.TYPE_OFFSET));
        if (type == null) {
            undeclared(at);
            return;
        }
        int next = at + type.length();
        if (next > end) {
            cutOrDamage(at);
            return;
        }
        Mark mark = mark(next);
        if (mark != Mark.WHOLE && isBrokenBy(at, next)) {
            return;
        }
        if (mark == Mark.NONE) {
            lose(at, at + DataFlashLayout.HEADER_LENGTH);
            return;
        }
        start = next;
        waiting.onRecord(type, window, at, windowPosition + at);
        if (mark == Mark.HALF) {
            lose(next, next + 1);
        }
    }

    /** Whether another record starts before this one ends, so that a part of this one is missing. */
    private boolean isBrokenBy(int at, int next) throws IOException {
        int inside = find(at + DataFlashLayout.HEADER_LENGTH, next, Mark.WHOLE);
        if (inside < 0) {
            return false;
        }
        handler.onDamage(windowPosition + at, inside - at);
        start = inside;
        return true;
    }

    private void lose(int at, int seekFrom) {
        lost = true;
        lostFrom = windowPosition + at;
        start = Math.min(seekFrom, end);
    }

    private void found(int at) throws IOException {
        lost = false;
        start = at;
        handler.onDamage(lostFrom, windowPosition + at - lostFrom);
    }

    /** Searches for the next intact record, as far as the available bytes allow. */
    private void seek() throws IOException {
        int limit = last ? end : end - SIGHT + 1;
        int at = find(start, limit, Mark.HALF);
        if (at >= 0) {
            found(at);
            return;
        }
        start = limit;
        if (last) {
            int tail = findCut(Math.max((int) Math.max(lostFrom + 1 - windowPosition, 0), end - SIGHT));
            found(tail);
            if (tail < end) {
                cut(tail);
            }
        }
    }

    /** First index from {@code from}, before {@code limit}, where an intact record starts; -1 if there is none. */
    private int find(int from, int limit, Mark worst) {
        int to = Math.min(limit, end - DataFlashLayout.HEADER_LENGTH + 1);
        for (int at = from; at < to; at++) {
            if (window[at] == DataFlashLayout.HEAD_1 && isSound(at, worst)) {
                return at;
            }
        }
        return -1;
    }

    private boolean isSound(int at, Mark worst) {
        if (!isHeader(window, at)) {
            return false;
        }
        RecordType type = definitions.type(LittleEndian.uint8(window, at + DataFlashLayout.TYPE_OFFSET));
        if (type == null || at + type.length() > end) {
            return false;
        }
        // Bytes taken for a definition by mistake would spoil many records.
        Mark needed = Definitions.isDefinition(type) ? Mark.WHOLE : worst;
        return mark(at + type.length()).compareTo(needed) <= 0;
    }

    /** Start of a record after damage that the end of the log truncates; the end of the log if there is none. */
    private int findCut(int from) {
        for (int at = from; at + DataFlashLayout.HEADER_LENGTH <= end; at++) {
            RecordType type = definitions.type(LittleEndian.uint8(window, at + DataFlashLayout.TYPE_OFFSET));
            if (isHeader(window, at) && type != null && at + type.length() > end) {
                return at;
            }
        }
        return end;
    }

    /** Judges the bytes where the next record should start. */
    private Mark mark(int at) {
        if (last && at >= end - 1) {
            return at >= end || window[at] == DataFlashLayout.HEAD_1 ? Mark.WHOLE : Mark.NONE;
        }
        boolean first = window[at] == DataFlashLayout.HEAD_1;
        boolean second = window[at + 1] == DataFlashLayout.HEAD_2;
        return first && second ? Mark.WHOLE : first || second ? Mark.HALF : Mark.NONE;
    }

    private void undeclared(int at) throws IOException {
        int limit = Math.min(at + DataFlashLayout.MAX_RECORD_LENGTH, end - DataFlashLayout.HEADER_LENGTH);
        for (int next = at + DataFlashLayout.HEADER_LENGTH; next <= limit; next++) {
            if (isHeader(window, next) && isPlausible(next)) {
                start = next;
                waiting.onUndeclared(type(at), window, at, next - at, windowPosition + at);
                return;
            }
        }
        if (last && end - at <= DataFlashLayout.MAX_RECORD_LENGTH) {
            start = end;
            waiting.onUndeclared(type(at), window, at, end - at, windowPosition + at);
        } else {
            lose(at, at + DataFlashLayout.HEADER_LENGTH);
        }
    }

    /** Whether a header of another undeclared type, or of an intact record, is here. */
    private boolean isPlausible(int at) {
        return definitions.type(type(at)) == null || isSound(at, Mark.WHOLE) || isCutAtEnd(at);
    }

    private boolean isCutAtEnd(int at) {
        RecordType type = definitions.type(type(at));
        return last && type != null && at + type.length() > end;
    }

    private int type(int at) {
        return LittleEndian.uint8(window, at + DataFlashLayout.TYPE_OFFSET);
    }

    /** At the end of the log: reports an incomplete record, unless intact ones are inside it. */
    private void cutOrDamage(int at) throws IOException {
        if (end - at > DataFlashLayout.HEADER_LENGTH && isBrokenBy(at, end)) {
            return;
        }
        if (window[at] == DataFlashLayout.HEAD_1 && (end - at < 2 || window[at + 1] == DataFlashLayout.HEAD_2)) {
            cut(at);
        } else {
            handler.onDamage(windowPosition + at, end - at);
            start = end;
        }
    }

    private void cut(int at) throws IOException {
        handler.onCut(windowPosition + at, end - at);
        start = end;
    }
}
