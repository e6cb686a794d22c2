package org.mavlogd.exports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.mavlogd.mcap.McapCompression;

/**
 * Builds one page of a column: values in Parquet's encoding PLAIN, or only the first value of a dictionary, and the
 * levels that mark nulls; then compresses it. Reused for every page. One thread.
 *
 * @see <a href="https://parquet.apache.org/docs/file-format/data-pages/encodings/">Parquet, "Encodings"</a>
 */
final class ParquetPage {
    /** Maximum size of a page, except for a single longer value. */
    static final int PAGE_BYTES = 1 << 20;

    // Levels and indexes take one bit.
    private static final byte BIT_WIDTH = 1;
    private static final int LEVELS_HEAD = Integer.BYTES;

    private final CRC32 crc = new CRC32();
    private byte[] bytes = {};
    private byte[] packed = {};
    private int length;
    private int packedLength;

    /** Starts a page of at most this many bytes. */
    void begin(int capacity) throws IOException {
        length = 0;
        if (bytes.length < capacity) {
            bytes = new byte[capacity];
            packed = new byte[McapCompression.ZSTD.bound(capacity)];
        }
    }

    /** Length of the page, uncompressed. */
    int length() {
        return length;
    }

    int packedLength() {
        return packedLength;
    }

    ByteBuffer packed() {
        return ByteBuffer.wrap(packed, 0, packedLength);
    }

    /** Checksum of the compressed bytes. */
    int crc() {
        return (int) crc.getValue();
    }

    void pack() throws IOException {
        packedLength = McapCompression.ZSTD.compress(bytes, length, packed);
        crc.reset();
        crc.update(packed, 0, packedLength);
    }

    /** Writes indexes of the first and only value of the dictionary. */
    void indexes(int count) {
        bytes[length++] = BIT_WIDTH;
        run(count, (byte) 0);
    }

    /** Writes a text of the dictionary. */
    void text(byte[] utf8) {
        int32(utf8.length);
        System.arraycopy(utf8, 0, bytes, length, utf8.length);
        length += utf8.length;
    }

    void int64(long value) {
        int32((int) value);
        int32((int) (value >>> Integer.SIZE));
    }

    /** Writes levels that mark nulls; called after {@link #begin}. */
    void levels(boolean[] isDefined, int first, int count) {
        int head = length;
        length += LEVELS_HEAD;
        int from = first;
        for (int i = first + 1; i <= first + count; i++) {
            if (i == first + count || isDefined[i] != isDefined[from]) {
                run(i - from, (byte) (isDefined[from] ? 1 : 0));
                from = i;
            }
        }
        int end = length;
        length = head;
        int32(end - head - LEVELS_HEAD);
        length = end;
    }

    /** Writes values of a column from consecutive rows. Hot path. */
    void values(ParquetColumn column, byte[] rows, int rowBytes, int first, int count) {
        int at = first * rowBytes + column.offset();
        switch (column.type()) {
            case INT8 -> int8(rows, at, rowBytes, count);
            case UINT8 -> uint8(rows, at, rowBytes, count);
            case INT16 -> int16(rows, at, rowBytes, count);
            case UINT16 -> uint16(rows, at, rowBytes, count);
            case INT32, UINT32, FLOAT -> four(rows, at, rowBytes, count);
            case INT64, UINT64, DOUBLE -> eight(rows, at, rowBytes, count);
            case BOOL -> bits(rows, at, rowBytes, count);
            case CHAR -> texts(rows, at, rowBytes, count, column.length());
        }
    }

    private void int8(byte[] rows, int from, int rowBytes, int count) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            int32(rows[at]);
        }
    }

    private void uint8(byte[] rows, int from, int rowBytes, int count) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            int32(rows[at] & 0xFF);
        }
    }

    private void int16(byte[] rows, int from, int rowBytes, int count) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            int32((rows[at] & 0xFF) | (rows[at + 1] << Byte.SIZE));
        }
    }

    private void uint16(byte[] rows, int from, int rowBytes, int count) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            int32((rows[at] & 0xFF) | ((rows[at + 1] & 0xFF) << Byte.SIZE));
        }
    }

    private void four(byte[] rows, int from, int rowBytes, int count) {
        byte[] target = bytes;
        int to = length;
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            target[to] = rows[at];
            target[to + 1] = rows[at + 1];
            target[to + 2] = rows[at + 2];
            target[to + 3] = rows[at + 3];
            to += Integer.BYTES;
        }
        length = to;
    }

    private void eight(byte[] rows, int from, int rowBytes, int count) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            System.arraycopy(rows, at, bytes, length, Long.BYTES);
            length += Long.BYTES;
        }
    }

    private void bits(byte[] rows, int from, int rowBytes, int count) {
        int octet = 0;
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            octet |= rows[at] == 0 ? 0 : 1 << (i % Byte.SIZE);
            if (i % Byte.SIZE == Byte.SIZE - 1 || i == count - 1) {
                bytes[length++] = (byte) octet;
                octet = 0;
            }
        }
    }

    private void texts(byte[] rows, int from, int rowBytes, int count, int maxLength) {
        for (int i = 0, at = from; i < count; i++, at += rowBytes) {
            int size = 0;
            boolean isAscii = true;
            while (size < maxLength && rows[at + size] != 0) {
                isAscii &= rows[at + size] > 0;
                size++;
            }
            if (isAscii) {
                int32(size);
                System.arraycopy(rows, at, bytes, length, size);
                length += size;
            } else {
                text(new String(rows, at, size, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void int32(int value) {
        byte[] target = bytes;
        int at = length;
        target[at] = (byte) value;
        target[at + 1] = (byte) (value >>> 8);
        target[at + 2] = (byte) (value >>> 16);
        target[at + 3] = (byte) (value >>> 24);
        length = at + Integer.BYTES;
    }

    /** Writes a run of equal values. */
    private void run(int count, byte value) {
        long header = (long) count << 1;
        while (header > 0x7F) {
            bytes[length++] = (byte) (header | 0x80);
            header >>>= 7;
        }
        bytes[length++] = (byte) header;
        bytes[length++] = value;
    }
}
