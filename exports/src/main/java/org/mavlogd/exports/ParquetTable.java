package org.mavlogd.exports;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.mavlogd.exports.ParquetColumn.Role;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TopicLayout;

/**
 * Writes the samples of one topic as a Parquet file; docs/log-tools.md describes its columns.
 *
 * <p>Samples are rows of bytes: time since boot in microseconds (8 bytes, little endian), instance (1 byte), and the
 * fields as in the log. Each {@link #write} creates a row group, so rows must be sorted by time. A column with a single
 * value takes a few bytes in a row group; other values are stored plain; everything is compressed with zstd.
 *
 * <p>Memory: about 300 bytes for each column of each row group until {@link #finish}, and two pages of 1 MiB, which the
 * caller may share between files. One thread.
 *
 * @see <a href="https://parquet.apache.org/docs/file-format/">Parquet, "File Format"</a>
 */
public final class ParquetTable {
    static final int INSTANCE_OFFSET = Long.BYTES;
    static final int FIELDS_OFFSET = INSTANCE_OFFSET + 1;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int BOOT_TIME_INDEX = 2;
    private static final int FOOTER_BUFFER_BYTES = 64 * 1024;
    private static final List<Encoding> PLAIN = List.of(Encoding.PLAIN, Encoding.RLE);
    private static final List<Encoding> DICTIONARY = List.of(Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY);

    /**
     * The properties that all files of a log share.
     *
     * @param log name of the log
     * @param library name and version of the writing program
     * @param bootUtcUs start of the vehicle's clock, in microseconds UTC; 0 if unknown
     */
    public record Log(String log, String library, long bootUtcUs) {}

    /** Buffers for building pages, for one file after the other. */
    public static final class Pages {
        private final ParquetPage page = new ParquetPage();
        private boolean[] hasTime = {};
    }

    /** The place and the contents of a column in a row group. */
    private static final class Chunk {
        private final long start;
        private final Statistics statistics = new Statistics();
        private long uncompressedBytes;
        private long dictionaryAt = -1;
        private long dataAt = -1;

        Chunk(long start) {
            this.start = start;
        }
    }

    private final WritableByteChannel channel;
    private final TopicLayout layout;
    private final Log log;
    private final Pages pages;
    private final byte[] logName;
    private final int rowBytes;
    private final List<ParquetColumn> columns;
    private final List<RowGroup> groups = new ArrayList<>();
    private final ByteArrayOutputStream header = new ByteArrayOutputStream();
    private long position;
    private long rows;

    /**
     * Starts the file.
     *
     * @throws IOException also if there is a {@link #refusal}
     */
    public ParquetTable(WritableByteChannel channel, TopicLayout layout, Log log, Pages pages) throws IOException {
        this.channel = channel;
        this.layout = layout;
        this.log = log;
        this.pages = pages;
        this.logName = log.log().getBytes(StandardCharsets.UTF_8);
        this.rowBytes = rowBytes(layout);
        this.columns = ParquetColumn.of(layout);
        put(ByteBuffer.wrap(MAGIC));
    }

    /** The reason why a topic cannot be written, with its name; empty if it can. */
    public static Optional<String> refusal(TopicLayout layout) {
        int count = ParquetColumn.count(layout);
        return count <= ParquetColumn.MAX_COLUMNS
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "topic \"%s\" has %,d columns; a Parquet file may have at most %,d",
                        layout.name(),
                        count,
                        ParquetColumn.MAX_COLUMNS));
    }

    /** Length of a topic's row, in bytes. */
    public static int rowBytes(TopicLayout layout) {
        return FIELDS_OFFSET + layout.size();
    }

    /** Writes a sample as a row. */
    public static void row(SampleView sample, long timeUs, byte[] target, int offset) {
        for (int i = 0; i < Long.BYTES; i++) {
            target[offset + i] = (byte) (timeUs >>> (i * Byte.SIZE));
        }
        target[offset + INSTANCE_OFFSET] = (byte) sample.topic().multiId();
        sample.copyTo(target, offset + FIELDS_OFFSET);
    }

    /** Time of a row since boot. */
    public static long timeUs(byte[] rows, int offset) {
        long time = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            time = (time << Byte.SIZE) | (rows[offset + i] & 0xFF);
        }
        return time;
    }

    /** Number of column chunks written so far, which {@link #finish} keeps in memory. */
    public long chunks() {
        return (long) groups.size() * columns.size();
    }

    /** Number of columns. */
    public int columns() {
        return columns.size();
    }

    /** Writes a row group of the first rows of {@code data}, at least one. */
    public void write(byte[] data, int count) throws IOException {
        long start = position;
        long uncompressed = 0;
        List<ColumnChunk> chunks = new ArrayList<>(columns.size());
        for (ParquetColumn column : columns) {
            Chunk chunk = chunk(column, data, count);
            if (chunks.size() == BOOT_TIME_INDEX) {
                range(chunk, timeUs(data, 0), timeUs(data, (count - 1) * rowBytes));
                chunk.statistics.setNull_count(0);
            }
            chunks.add(described(chunk, column, count));
            uncompressed += chunk.uncompressedBytes;
        }
        RowGroup group = new RowGroup(chunks, uncompressed, count);
        group.setTotal_compressed_size(position - start);
        group.setFile_offset(start);
        group.setSorting_columns(List.of(new SortingColumn(BOOT_TIME_INDEX, false, false)));
        groups.add(group);
        rows += count;
    }

    private Chunk chunk(ParquetColumn column, byte[] data, int count) throws IOException {
        Chunk chunk = new Chunk(position);
        if (column.role() == Role.TIME) {
            times(chunk, column, data, count);
        } else if (column.role() == Role.LOG || isConstant(column, data, count)) {
            constant(chunk, column, data, count);
        } else {
            plain(chunk, column, data, count);
        }
        return chunk;
    }

    /**
     * Ends the file.
     *
     * @param units by path of the field
     */
    public void finish(Map<String, String> units) throws IOException {
        FileMetaData footer = new FileMetaData(
                VERSION, ParquetColumn.schema("topic", columns), rows, Collections.unmodifiableList(groups));
        footer.setCreated_by(log.library());
        footer.setKey_value_metadata(metadata(units));
        footer.setColumn_orders(Collections.nCopies(columns.size(), ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
        long start = position;
        OutputStream out = new BufferedOutputStream(new Output(), FOOTER_BUFFER_BYTES);
        Util.writeFileMetaData(footer, out);
        out.flush();
        ByteBuffer end = ByteBuffer.allocate(Integer.BYTES + MAGIC.length).order(ByteOrder.LITTLE_ENDIAN);
        put(end.putInt(Math.toIntExact(position - start)).put(MAGIC).flip());
    }

    private List<KeyValue> metadata(Map<String, String> units) {
        List<KeyValue> metadata = new ArrayList<>();
        metadata.add(new KeyValue("topic").setValue(layout.name()));
        ParquetColumn.renamed(columns)
                .forEach((name, path) -> metadata.add(new KeyValue("field:" + name).setValue(path)));
        for (ParquetColumn column : columns) {
            String unit = units.get(column.path());
            if (unit == null && column.path().endsWith("]")) {
                unit = units.get(column.path().substring(0, column.path().lastIndexOf('[')));
            }
            if (unit != null) {
                metadata.add(new KeyValue("unit:" + column.name()).setValue(unit));
            }
        }
        return metadata;
    }

    private ColumnChunk described(Chunk chunk, ParquetColumn column, int count) {
        ColumnMetaData metadata = new ColumnMetaData(
                column.physicalType(),
                chunk.dictionaryAt < 0 ? PLAIN : DICTIONARY,
                List.of(column.name()),
                CompressionCodec.ZSTD,
                count,
                chunk.uncompressedBytes,
                position - chunk.start,
                chunk.dataAt);
        if (chunk.dictionaryAt >= 0) {
            metadata.setDictionary_page_offset(chunk.dictionaryAt);
        }
        if (chunk.statistics.isSetNull_count()) {
            metadata.setStatistics(chunk.statistics);
        }
        return new ColumnChunk(chunk.start).setMeta_data(metadata);
    }

    private boolean isConstant(ParquetColumn column, byte[] data, int count) {
        if (column.type() == FieldType.BOOL) {
            return false; // eight rows take a byte, and dictionaries do not support it
        }
        int first = column.offset();
        for (int i = 1, at = first + rowBytes; i < count; i++, at += rowBytes) {
            for (int j = 0; j < column.length(); j++) {
                if (data[at + j] != data[first + j]) {
                    return false;
                }
            }
        }
        return true;
    }

    private void constant(Chunk chunk, ParquetColumn column, byte[] data, int count) throws IOException {
        ParquetPage page = pages.page;
        page.begin(ParquetPage.PAGE_BYTES);
        if (column.role() == Role.LOG) {
            page.text(logName);
        } else {
            page.values(column, data, rowBytes, 0, 1);
        }
        PageHeader dictionary =
                packed(PageType.DICTIONARY_PAGE).setDictionary_page_header(new DictionaryPageHeader(1, Encoding.PLAIN));
        chunk.dictionaryAt = position;
        putPage(chunk, dictionary);
        page.begin(ParquetPage.PAGE_BYTES);
        page.indexes(count);
        putValues(chunk, count, Encoding.RLE_DICTIONARY);
    }

    private void plain(Chunk chunk, ParquetColumn column, byte[] data, int count) throws IOException {
        int perPage = Math.max(1, ParquetPage.PAGE_BYTES / column.pageBytes());
        for (int first = 0; first < count; first += perPage) {
            int part = Math.min(perPage, count - first);
            pages.page.begin(ParquetPage.PAGE_BYTES);
            pages.page.values(column, data, rowBytes, first, part);
            putValues(chunk, part, Encoding.PLAIN);
        }
    }

    /** Writes times in UTC; null if unknown or not representable. */
    private void times(Chunk chunk, ParquetColumn column, byte[] data, int count) throws IOException {
        int nulls = markTimes(data, count);
        // Half a page, because levels may take several bytes per value.
        int perPage = ParquetPage.PAGE_BYTES / 2 / column.pageBytes();
        for (int first = 0; first < count; first += perPage) {
            int part = Math.min(perPage, count - first);
            pages.page.begin(ParquetPage.PAGE_BYTES);
            pages.page.levels(pages.hasTime, first, part);
            for (int i = first; i < first + part; i++) {
                if (pages.hasTime[i]) {
                    pages.page.int64(timeUs(data, i * rowBytes) + log.bootUtcUs());
                }
            }
            putValues(chunk, part, Encoding.PLAIN);
        }
        chunk.statistics.setNull_count(nulls);
        if (nulls == 0) {
            range(chunk, timeUs(data, 0) + log.bootUtcUs(), timeUs(data, (count - 1) * rowBytes) + log.bootUtcUs());
        }
    }

    /** Marks the rows that have a time in UTC; returns the number of others. */
    private int markTimes(byte[] data, int count) {
        if (pages.hasTime.length < count) {
            pages.hasTime = new boolean[count];
        }
        int nulls = 0;
        for (int i = 0; i < count; i++) {
            long timeUs = timeUs(data, i * rowBytes);
            // A clock that counts from 1970, and is fast, starts before 1970.
            long latestUs = Long.MAX_VALUE - Math.max(0, log.bootUtcUs());
            pages.hasTime[i] = log.bootUtcUs() != 0 && timeUs >= 0 && timeUs <= latestUs;
            nulls += pages.hasTime[i] ? 0 : 1;
        }
        return nulls;
    }

    private static void range(Chunk chunk, long first, long last) {
        chunk.statistics.setMin_value(bytes(first));
        chunk.statistics.setMax_value(bytes(last));
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private void putValues(Chunk chunk, int count, Encoding encoding) throws IOException {
        PageHeader described = packed(PageType.DATA_PAGE)
                .setData_page_header(new DataPageHeader(count, encoding, Encoding.RLE, Encoding.RLE));
        if (chunk.dataAt < 0) {
            chunk.dataAt = position;
        }
        putPage(chunk, described);
    }

    private PageHeader packed(PageType type) throws IOException {
        pages.page.pack();
        return new PageHeader(type, pages.page.length(), pages.page.packedLength()).setCrc(pages.page.crc());
    }

    private void putPage(Chunk chunk, PageHeader described) throws IOException {
        header.reset();
        Util.writePageHeader(described, header);
        chunk.uncompressedBytes += header.size() + pages.page.length();
        put(ByteBuffer.wrap(header.toByteArray()));
        put(pages.page.packed());
    }

    private void put(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            position += channel.write(bytes);
        }
    }

    /** The file as an output stream. */
    private final class Output extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            put(ByteBuffer.wrap(new byte[] {(byte) octet}));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            put(ByteBuffer.wrap(bytes, offset, length));
        }
    }
}
