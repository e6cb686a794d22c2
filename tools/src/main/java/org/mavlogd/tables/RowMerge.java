package org.mavlogd.tables;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.mavlogd.exports.ParquetTable;
import org.mavlogd.logtools.OutputFile;

/** Merges the rows of a file by time, whose parts are each sorted. Of equal times the earlier part is first. */
final class RowMerge implements Closeable {
    /**
     * The rows of a file.
     *
     * @param first first row
     * @param end end of the rows
     * @param partRows rows of each part; the last one may be shorter
     */
    record Parts(long first, long end, long partRows) {
        int count() {
            return Math.toIntExact((end - first + partRows - 1) / partRows);
        }
    }

    private final OutputFile file;
    private final FileChannel channel;
    private final int rowBytes;
    private final PriorityQueue<Part> queue =
            new PriorityQueue<>(Comparator.comparingLong(Part::timeUs).thenComparingLong(part -> part.index));
    private @Nullable Part current;

    /** @param memory for all parts together, in bytes; each gets at least one row */
    RowMerge(OutputFile file, int rowBytes, Parts parts, int memory) throws IOException {
        this.file = file;
        this.rowBytes = rowBytes;
        int bufferRows = Math.max(memory / parts.count() / rowBytes, 1);
        try {
            channel = FileChannel.open(file.temporary(), StandardOpenOption.READ);
        } catch (IOException e) {
            throw file.failed(e);
        }
        for (int i = 0; i < parts.count(); i++) {
            long first = parts.first() + i * parts.partRows();
            long end = Math.min(parts.end(), first + parts.partRows());
            Part part = new Part(i, first, end, (int) Math.min(bufferRows, end - first));
            part.fill();
            queue.add(part);
        }
        current = queue.poll();
    }

    /** Fills {@code target} with rows; returns their number, 0 at the end. */
    int read(byte[] target) throws IOException {
        int count = 0;
        while (current != null && (count + 1) * rowBytes <= target.length) {
            Part part = current;
            System.arraycopy(part.buffer, part.at * rowBytes, target, count * rowBytes, rowBytes);
            count++;
            advance(part);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void advance(Part part) throws IOException {
        part.at++;
        if (part.at == part.filled && !part.fill()) {
            current = queue.poll();
            return;
        }
        Part next = queue.peek();
        if (next != null && queue.comparator().compare(part, next) > 0) {
            queue.add(part);
            current = queue.poll();
        }
    }

    /** The rest of a part, with its next rows in memory. */
    private final class Part {
        private final int index;
        private final long end;
        private final byte[] buffer;
        private long next;
        private int at;
        private int filled;

        Part(int index, long first, long end, int bufferRows) {
            this.index = index;
            this.next = first;
            this.end = end;
            this.buffer = new byte[bufferRows * rowBytes];
        }

        long timeUs() {
            return ParquetTable.timeUs(buffer, at * rowBytes);
        }

        /** Whether there are more rows. */
        boolean fill() throws IOException {
            int count = (int) Math.min(buffer.length / rowBytes, end - next);
            try {
                RowSpool.readFully(channel, next * rowBytes, ByteBuffer.wrap(buffer, 0, count * rowBytes));
            } catch (IOException e) {
                throw file.failed(e);
            }
            next += count;
            at = 0;
            filled = count;
            return count > 0;
        }
    }
}
