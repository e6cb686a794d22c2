package org.mavlogd.tables;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import org.mavlogd.exports.ParquetTable;
import org.mavlogd.logtools.OutputFile;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/**
 * Sorts the samples of one topic by time. They are stored in a temporary file, because those of all topics do not fit
 * into memory; rows with equal times keep the order of the log.
 *
 * <p>A file that is not sorted is sorted in parts that fit into memory, and the parts are merged, a limited number at a
 * time. So memory is independent of the number of rows and their order. The file is open only while it is written or
 * read, so that many spools can be filled at the same time. One thread.
 */
final class RowSpool implements Closeable {
    private static final int MAX_PART_ROWS = 100_000;

    /**
     * Limits of memory, in bytes.
     *
     * @param gathered buffer before rows are written
     * @param part part that is sorted in memory
     * @param merge all parts that are merged together
     * @param mergePart minimum for each of these parts
     */
    record Limits(int gathered, int part, int merge, int mergePart) {
        /** The limits of a spool in addition to this number of others: the first ones have larger buffers. */
        static Limits beside(int spools) {
            int gathered = spools < 128 ? 64 * 1024 : 8 * 1024;
            return new Limits(gathered, 4 * 1024 * 1024, 4 * 1024 * 1024, 16 * 1024);
        }
    }

    private final TopicLayout layout;
    private final Limits limits;
    private final int rowBytes;
    private OutputFile file;
    private OutputFile spare;
    private byte[] gathered = {};
    private int gatheredRows;
    private long rows;
    private long lastUs = Long.MIN_VALUE;
    private boolean isInOrder = true;

    /** @param file for the rows; {@code spare} is for merging; both are temporary */
    RowSpool(TopicLayout layout, Limits limits, OutputFile file, OutputFile spare) {
        this.layout = layout;
        this.limits = limits;
        this.rowBytes = ParquetTable.rowBytes(layout);
        this.file = file;
        this.spare = spare;
    }

    TopicLayout layout() {
        return layout;
    }

    long rows() {
        return rows;
    }

    /** Hot path. */
    void add(SampleView sample, long timeUs) throws IOException {
        if (gathered.length == 0) {
            gathered = new byte[Math.max(limits.gathered / rowBytes, 1) * rowBytes];
        }
        ParquetTable.row(sample, timeUs, gathered, gatheredRows * rowBytes);
        gatheredRows++;
        rows++;
        isInOrder &= timeUs >= lastUs;
        lastUs = timeUs;
        if ((gatheredRows + 1) * rowBytes > gathered.length) {
            flush();
        }
    }

    /** Ends the rows and frees the buffer. */
    void finish() throws IOException {
        flush();
        gathered = new byte[0];
    }

    /** The sorted rows; after {@link #finish}. */
    RowMerge sorted() throws IOException {
        if (isInOrder) {
            return new RowMerge(file, rowBytes, new RowMerge.Parts(0, rows, rows), limits.merge);
        }
        long partRows = Math.max(Math.min(limits.part / rowBytes, MAX_PART_ROWS), 1);
        sortParts((int) partRows);
        int atOnce = Math.max(limits.merge / Math.max(limits.mergePart, rowBytes), 2);
        while ((rows + partRows - 1) / partRows > atOnce) {
            mergeParts(partRows, atOnce);
            partRows *= atOnce;
        }
        return new RowMerge(file, rowBytes, new RowMerge.Parts(0, rows, partRows), limits.merge);
    }

    /** Deletes the files. */
    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            spare.close();
        }
    }

    private void flush() throws IOException {
        if (gatheredRows == 0) {
            return;
        }
        try (FileChannel channel =
                FileChannel.open(file.temporary(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            writeFully(channel, ByteBuffer.wrap(gathered, 0, gatheredRows * rowBytes));
        } catch (IOException e) {
            throw file.failed(e);
        }
        gatheredRows = 0;
        if (rowBytes > limits.gathered) {
            gathered = new byte[0]; // the buffers of a thousand such topics would be too large
        }
    }

    private void sortParts(int partRows) throws IOException {
        byte[] part = new byte[(int) Math.min(partRows, rows) * rowBytes];
        byte[] ordered = new byte[part.length];
        try (FileChannel channel =
                FileChannel.open(file.temporary(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long first = 0; first < rows; first += partRows) {
                int count = (int) Math.min(partRows, rows - first);
                readFully(channel, first * rowBytes, ByteBuffer.wrap(part, 0, count * rowBytes));
                if (sort(part, count, ordered)) {
                    channel.position(first * rowBytes);
                    writeFully(channel, ByteBuffer.wrap(ordered, 0, count * rowBytes));
                }
            }
        } catch (IOException e) {
            throw file.failed(e);
        }
    }

    /** Whether the part had to be sorted. */
    private boolean sort(byte[] part, int count, byte[] ordered) {
        boolean isSorted = true;
        for (int i = 1; i < count && isSorted; i++) {
            isSorted = timeUs(part, i) >= timeUs(part, i - 1);
        }
        if (isSorted) {
            return false;
        }
        Integer[] order = new Integer[count];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingLong(i -> timeUs(part, i)));
        for (int i = 0; i < count; i++) {
            System.arraycopy(part, order[i] * rowBytes, ordered, i * rowBytes, rowBytes);
        }
        return true;
    }

    private long timeUs(byte[] part, int row) {
        return ParquetTable.timeUs(part, row * rowBytes);
    }

    /** Merges {@code atOnce} parts at a time into the other file, which then replaces this one. */
    private void mergeParts(long partRows, int atOnce) throws IOException {
        byte[] merged = new byte[Math.max(limits.gathered / rowBytes, 1) * rowBytes];
        try (FileChannel out =
                FileChannel.open(spare.temporary(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long first = 0; first < rows; first += partRows * atOnce) {
                long end = Math.min(rows, first + partRows * atOnce);
                try (RowMerge merge =
                        new RowMerge(file, rowBytes, new RowMerge.Parts(first, end, partRows), limits.merge)) {
                    for (int count = merge.read(merged); count > 0; count = merge.read(merged)) {
                        writeFully(out, ByteBuffer.wrap(merged, 0, count * rowBytes));
                    }
                }
            }
        } catch (IOException e) {
            throw file.failed(e);
        }
        file.close();
        OutputFile swapped = file;
        file = spare;
        spare = swapped;
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    static void readFully(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int count = channel.read(bytes, at);
            if (count < 0) {
                throw new EOFException("shorter than it was written");
            }
            at += count;
        }
    }
}
