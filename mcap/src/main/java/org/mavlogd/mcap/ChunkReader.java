package org.mavlogd.mcap;

import java.util.zip.CRC32;

/** Decompresses a chunk and iterates over its records. Both buffers are bounded by the limit. Reused. */
final class ChunkReader {
    private final int limitBytes;
    private final CRC32 crc = new CRC32();
    private final FieldCursor inner = new FieldCursor();
    private byte[] records = {};
    private int end;
    private int next;
    private long position;

    ChunkReader(int limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Decompresses and checks the complete chunk before any of its records is passed on. */
    McapRecord.Chunk open(FieldCursor fields) throws McapException {
        next = 0;
        end = 0;
        position = fields.position();
        long startTimeNs = fields.int64("start time");
        long endTimeNs = fields.int64("end time");
        long size = fields.int64("uncompressed size");
        long expectedCrc = fields.uint32("uncompressed crc");
        String compression = fields.string("compression");
        int compressedSize = fields.longLength("records");
        if (size < 0 || size > limitBytes) {
            throw fields.failure("uncompressed size " + Long.toUnsignedString(size) + " exceeds the limit of "
                    + limitBytes + " bytes");
        }
        uncompress(fields, compression, compressedSize, (int) size);
        check(fields, expectedCrc, (int) size);
        end = (int) size;
        return new McapRecord.Chunk(position, startTimeNs, endTimeNs, size, compression, compressedSize);
    }

    private void uncompress(FieldCursor fields, String compression, int compressedSize, int size) throws McapException {
        if (records.length < size) {
            records = new byte[size];
        }
        try {
            McapCompression.of(compression).decompress(fields.bytes(), fields.offset(), compressedSize, records, size);
        } catch (McapException e) {
            throw fields.failure(String.valueOf(e.getMessage()));
        }
    }

    private void check(FieldCursor fields, long expectedCrc, int size) throws McapException {
        crc.reset();
        crc.update(records, 0, size);
        if (expectedCrc != 0 && crc.getValue() != expectedCrc) {
            throw fields.failure(String.format(
                    "the uncompressed records have checksum %08x, not %08x", crc.getValue(), expectedCrc));
        }
    }

    boolean hasNext() {
        return next < end;
    }

    /** Moves to the next record, whose content is then in {@link #fields}; returns its opcode. */
    int next() throws McapException {
        int at = next;
        next = end; // after an invalid record nothing follows
        int opcode = records[at] & 0xFF;
        inner.wrapInChunk(opcode, position, records, at, end);
        inner.uint8("opcode");
        inner.limit(inner.longLength("length"));
        next = inner.offset() + inner.remaining();
        return opcode;
    }

    FieldCursor fields() {
        return inner;
    }
}
