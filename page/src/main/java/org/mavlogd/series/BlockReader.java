package org.mavlogd.series;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.series.FieldSpans.Place;
import org.mavlogd.series.LogReading.Patience;
import org.mavlogd.ulog.ULogException;

/** Reads one field from the blocks that have samples of its topic. Memory: 0.7 MB, for any log. */
final class BlockReader {
    private static final int HEADER = 3;
    private static final int MAX_MESSAGE = HEADER + 65_535;
    private static final int MAX_BLOCK = LogBlocks.BLOCK_BYTES + MAX_MESSAGE;
    private static final int DATA = 'D';
    private static final int BATCH = 512;

    // Four more: in a changed log the last bytes may be read as the start of a message before the change is noticed.
    private final byte[] bytes = new byte[MAX_BLOCK + Integer.BYTES];
    // Positions of messages that may be of the topic: those of the first half of a block, then, after a gap, those of
    // the second half.
    private final int[] candidates = new int[MAX_BLOCK / HEADER + 2];
    private int endOfFirst;
    private int endOfSecond;
    private final long[] timesUs = new long[BATCH];
    private final double[] values = new double[BATCH];
    private int count;

    /** The selected samples. */
    record Range(long fromPosition, long fromUs, long toUs) {}

    /** Consecutive blocks of a log. */
    record Part(FileChannel log, LogBlocks blocks, int fromBlock, int toBlock) {
        int size() {
            return toBlock - fromBlock;
        }

        /** One of {@code count} parts of equal length. */
        Part of(int count, int number) {
            int from = fromBlock + (int) ((long) size() * number / count);
            int to = fromBlock + (int) ((long) size() * (number + 1) / count);
            return new Part(log, blocks, from, to);
        }
    }

    /**
     * Adds the samples in a range.
     *
     * @throws ULogException if the log differs from the index
     */
    void read(Part part, Place place, Range range, Spans target, Patience patience) throws IOException {
        LogBlocks blocks = part.blocks;
        count = 0;
        for (int block = part.fromBlock; block < part.toBlock; block++) {
            if (blocks.mayHave(block, place.topic()) && blocks.overlaps(block, range.fromUs, range.toUs)) {
                long from = Math.max(blocks.position(block), range.fromPosition);
                int length = Math.toIntExact(blocks.end(block) - from);
                load(part.log, from, length);
                int middle = (int) Math.max(0, blocks.middle(block) - from);
                int second = middle / HEADER + 1;
                find(middle, length, second, DATA | ((place.topic().messageId() & 0xFF) << 8));
                take(0, endOfFirst, place, range, target);
                take(second, endOfSecond, place, range, target);
                patience.check();
            }
        }
        target.add(timesUs, values, count);
    }

    private void load(FileChannel log, long position, int length) throws IOException {
        ByteBuffer target = ByteBuffer.wrap(bytes, 0, length);
        while (target.hasRemaining()) {
            if (log.read(target, position + target.position()) < 0) {
                throw new ULogException("the log has shrunk while it was read: " + log.size() + " bytes, "
                        + (position + length) + " were there before");
            }
        }
    }

    /**
     * Finds messages by their type and the lower half of their id, in both halves of a block at once: the end of a
     * message is known only when its size has been loaded, and while one load waits the other one runs. There is no
     * branch for a match, because matches cannot be predicted. This takes a third of the time of a plain loop. Hot
     * path.
     *
     * @param tag type and half of the id, as the upper two bytes of a message's first four
     */
    private void find(int middle, int length, int second, int tag) throws ULogException {
        byte[] from = bytes;
        int[] to = candidates;
        int at = 0;
        int atSecond = middle;
        int found = 0;
        int foundSecond = second;
        while (at < middle && atSecond < length) {
            int head = LittleEndian.int32(from, at);
            int headSecond = LittleEndian.int32(from, atSecond);
            to[found] = at;
            to[foundSecond] = atSecond;
            found += isZero((head >>> 16) ^ tag);
            foundSecond += isZero((headSecond >>> 16) ^ tag);
            at += HEADER + (head & 0xFFFF);
            atSecond += HEADER + (headSecond & 0xFFFF);
        }
        endOfFirst = findRest(at, middle, found, tag);
        endOfSecond = findRest(atSecond, length, foundSecond, tag);
    }

    /** Continues in one half when the other half has no more messages. Hot path. */
    private int findRest(int from, int end, int candidate, int tag) throws ULogException {
        int at = from;
        int found = candidate;
        while (at < end) {
            int head = LittleEndian.int32(bytes, at);
            candidates[found] = at;
            found += isZero((head >>> 16) ^ tag);
            at += HEADER + (head & 0xFFFF);
        }
        if (at != end) {
            throw new ULogException("the log has changed while it was read");
        }
        return found;
    }

    /** 1 for 0, and 0 for positive numbers. */
    private static int isZero(int number) {
        return (number - 1) >>> 31;
    }

    /** Hot path. */
    private void take(int fromCandidate, int toCandidate, Place place, Range range, Spans target) {
        int id = place.topic().messageId();
        int timestamp = HEADER + 2 + place.topic().timestampOffset();
        long fromUs = Math.max(0, range.fromUs);
        long toUs = Math.min(LogIndex.MAX_US, range.toUs);
        for (int i = fromCandidate; i < toCandidate; i++) {
            int at = candidates[i];
            int size = LittleEndian.uint16(bytes, at);
            if (LittleEndian.uint16(bytes, at + HEADER) == id && place.topic().fits(size)) {
                long timeUs = LittleEndian.int64(bytes, at + timestamp);
                if (timeUs >= fromUs && timeUs <= toUs) {
                    add(timeUs, place.field().read(bytes, at + HEADER + 2, size - 2), target);
                }
            }
        }
    }

    private void add(long timeUs, double value, Spans target) {
        timesUs[count] = timeUs;
        values[count] = value;
        if (++count == BATCH) {
            target.add(timesUs, values, count);
            count = 0;
        }
    }
}
