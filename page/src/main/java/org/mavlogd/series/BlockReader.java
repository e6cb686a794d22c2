package org.mavlogd.series;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.mavlogd.bytes.LittleEndian;
import org.mavlogd.series.LogReading.Patience;
import org.mavlogd.ulog.ULogException;

/** Reads the samples of one topic from the blocks that have some. Memory: one block and one message. */
final class BlockReader {
    private static final int HEADER = 3;
    private static final int MAX_MESSAGE = HEADER + 65_535;
    private static final int DATA = 'D';

    private final byte[] bytes = new byte[LogBlocks.BLOCK_BYTES + MAX_MESSAGE];

    /** Receives a sample; the buffer is valid only during the call. */
    @FunctionalInterface
    interface Sink {
        void onSample(long timeUs, byte[] buffer, int fields, int length);
    }

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
     * Passes on the samples in a range.
     *
     * @throws ULogException if the log differs from the index
     */
    void read(Part part, IndexedTopic topic, Range range, Sink sink, Patience patience) throws IOException {
        LogBlocks blocks = part.blocks;
        for (int block = part.fromBlock; block < part.toBlock; block++) {
            if (blocks.mayHave(block, topic) && blocks.overlaps(block, range.fromUs, range.toUs)) {
                long from = Math.max(blocks.position(block), range.fromPosition);
                int length = Math.toIntExact(blocks.end(block) - from);
                load(part.log, from, length);
                walk(length, topic, range, sink);
                patience.check();
            }
        }
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

    /** Hot path. */
    private void walk(int length, IndexedTopic topic, Range range, Sink sink) throws ULogException {
        int wanted = topic.messageId();
        for (int at = 0; at < length; ) {
            int size = LittleEndian.uint16(bytes, at);
            int next = at + HEADER + size;
            if (next > length) {
                throw new ULogException("the log has changed while it was read");
            }
            if (bytes[at + 2] == DATA && topic.fits(size) && LittleEndian.uint16(bytes, at + HEADER) == wanted) {
                int fields = at + HEADER + 2;
                long timeUs = LittleEndian.int64(bytes, fields + topic.timestampOffset());
                if (timeUs >= Math.max(0, range.fromUs) && timeUs <= Math.min(LogIndex.MAX_US, range.toUs)) {
                    sink.onSample(timeUs, bytes, fields, size - 2);
                }
            }
            at = next;
        }
    }
}
