package org.mavlogd.record.blocks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.HeadCollector;
import org.mavlogd.dataflash.LogHead;
import org.mavlogd.dataflash.MappedLog;
import org.mavlogd.dataflash.ULogMapper;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.head.KeptBytes;
import org.mavlogd.recovery.UnfinishedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the start of an ArduPilot's log until everything is known that a ULog needs before its data: types, units,
 * parameters, software. The vehicle sends these first, mixed with other data, and does not mark their end: they are
 * complete when blocks came for {@link #SETTLE_NS} that contained nothing new. Time without blocks does not count:
 * definitions that are delayed by an outage come later in the log.
 *
 * <p>Keeps at most 1 MiB. A start of that length without a single known type is dropped, and the log begins again with
 * the next bytes. Owned by the recorder's thread.
 */
final class LogStart {
    private static final int PIECE_BYTES = 4 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(LogStart.class);

    static final int MAX_BYTES = 1 << 20;
    static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

    /** Enough for the slowest links; parameters that come later count as changes. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    // While the link is up, blocks come more often than this.
    private static final long LONGEST_STEP_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final MemoryShare memory;
    private MemoryShare known;
    private HeadCollector collector;
    // Null, except for a log that continues, until its earlier definitions are known.
    private @Nullable UnfinishedLog past;
    private @Nullable UnfinishedLog unread;
    private KeptBytes bytes;
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private boolean isForgotten;
    private int learned;
    private long quietNs;
    private long lastArrivalNs;
    private long beganNs;

    /** @param memory for the start; if it is exhausted, the log begins with what is known by then */
    LogStart(MemoryShare memory) {
        this.memory = memory;
        known = memory.part();
        collector = new HeadCollector(known);
        bytes = new KeptBytes(known);
    }

    /**
     * Continues the log of an earlier run. Its definitions must be read first and are not written again; until then new
     * bytes wait, within the same limits.
     */
    void resume(UnfinishedLog log) {
        past = log;
        log.wantPast();
    }

    /**
     * Takes the past if it is read. If {@code isLast}, there is no more time, and the definitions in the log's first
     * bytes are used.
     */
    private void settlePast(boolean isLast) throws IOException {
        UnfinishedLog log = past;
        if (log == null) {
            return;
        }
        HeadCollector read = log.takePast();
        if (read != null) {
            adopt(read);
        } else if (isLast || !log.isPastAwaited()) {
            unread = log.isPastAwaited() ? log : null;
            adopt(ofHead(log.head()));
            LOG.warn(
                    "{}: the continued ULog has the formats and parameters of its start{}",
                    log.fileName(),
                    unread == null ? "" : ", until the rest is read");
        }
    }

    /** The log whose past is still being read; null if everything is known. */
    @Nullable
    UnfinishedLog unread() {
        return unread;
    }

    private HeadCollector ofHead(DirectBuffer head) throws IOException {
        HeadCollector read = HeadCollector.ofPast(known);
        byte[] piece = new byte[Math.min(PIECE_BYTES, head.capacity())];
        for (int offset = 0; offset < head.capacity(); offset += piece.length) {
            int count = Math.min(piece.length, head.capacity() - offset);
            head.getBytes(offset, piece, 0, count);
            read.feed(piece, 0, count);
        }
        return read;
    }

    private void adopt(HeadCollector read) throws IOException {
        past = null;
        collector = read;
        collector.feed(MappedDamage.HOLE, 0, MappedDamage.HOLE.length);
        collector.dataBegins();
        bytes.forEachPiece((buffer, firstPlace, used) -> collector.feed(buffer.byteArray(), 0, used));
        learned = collector.learned();
    }

    /** Takes the next bytes, at most a block or a hole. False if there is no room: the log must begin now. */
    boolean add(byte[] data, int count, long arrivalNs) throws IOException {
        boolean isFirst = bytes.length() == 0;
        boolean isAwaited = past != null;
        boolean isKept = keep(data, count);
        settlePast(!isKept);
        if (!isKept && collector.hasData()) {
            return false;
        }
        if (!isKept) {
            isForgotten = true;
            isFirst = true;
            isAwaited = false;
            isKept = forgets() && keep(data, count);
        }
        if (isFirst) {
            beganNs = arrivalNs;
            lastArrivalNs = arrivalNs;
        }
        if (isKept && !isAwaited) {
            collector.feed(data, 0, count);
        }
        countQuiet(arrivalNs);
        return true;
    }

    private boolean keep(byte[] data, int count) {
        view.wrap(data, 0, count);
        return bytes.length() + count <= MAX_BYTES && bytes.add(view, 0, count);
    }

    /**
     * Drops what was kept; false if there is nothing to drop, as while others have all memory: then no block may cost
     * more than another attempt.
     */
    private boolean forgets() {
        if (bytes.length() == 0) {
            return false;
        }
        known.close();
        known = memory.part();
        collector = new HeadCollector(known);
        bytes = new KeptBytes(known);
        return true;
    }

    /** Whether a start was dropped because it had no known type. */
    boolean isForgotten() {
        return isForgotten;
    }

    /** Counts the time in which new definitions could have come. */
    private void countQuiet(long arrivalNs) {
        long stepNs = arrivalNs - lastArrivalNs;
        if (stepNs > 0) {
            quietNs += Math.min(stepNs, LONGEST_STEP_NS);
            lastArrivalNs = arrivalNs;
        }
        if (collector.learned() != learned) {
            learned = collector.learned();
            quietNs = 0;
        }
    }

    /** At the end: whether there is anything to write. */
    boolean hasData() throws IOException {
        settlePast(true);
        collector.finish(); // completes the last record
        return bytes.length() > 0 && collector.hasData();
    }

    /** At the end: whether only the usual start of a log came. */
    boolean hasOnlyStart() throws IOException {
        collector.finish();
        return !isForgotten && !collector.hasMoreThanStart();
    }

    /** Whether the start is complete. */
    boolean isComplete(long nowNs) throws IOException {
        settlePast(bytes.length() > 0 && nowNs - beganNs >= PATIENCE_NS);
        return past == null
                && bytes.length() > 0
                && collector.hasData()
                && (quietNs >= SETTLE_NS
                        || nowNs - beganNs >= PATIENCE_NS
                        || bytes.length() + MappedDamage.HOLE.length > MAX_BYTES);
    }

    /**
     * Ends the start: returns a mapper with the known definitions, which must be {@link #moveTo fed} with the kept
     * bytes.
     */
    ULogMapper mapper(MappedLog target) throws IOException {
        collector.finish();
        return new ULogMapper(collector.head(), ULogMapper.Values.RAW, target, memory);
    }

    /** The first time in the kept bytes, in microseconds since the vehicle's boot; after {@link #mapper}. */
    long startUs() {
        LogHead head = collector.head();
        return head.startUs();
    }

    /** Passes on the kept bytes. */
    void moveTo(ULogMapper mapper) throws IOException {
        bytes.rewrite((buffer, firstPlace, used) -> mapper.feed(buffer.byteArray(), 0, used));
    }

    /**
     * The part of a continued log's past that was too long to be read before its live ULog began, and is still being
     * read. Owned by the recorder's thread.
     */
    static final class UnreadPast {
        private @Nullable UnfinishedLog log;

        /** Sets the log whose past is still being read; null if there is none. */
        void await(@Nullable UnfinishedLog unread) {
            log = unread;
        }

        /** The definitions of the past, once, as soon as they are read; null before and after. */
        @Nullable
        HeadCollector take() {
            UnfinishedLog awaited = log;
            HeadCollector past = awaited == null ? null : awaited.takePast();
            if (past != null) {
                log = null;
                past.dataBegins();
            }
            return past;
        }

        /** The past is not needed any more. */
        void drop() {
            UnfinishedLog awaited = log;
            if (awaited != null) {
                log = null;
                awaited.noPast();
            }
        }
    }
}
