package org.mavlogd.mcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The records of a file except messages. Times are unsigned nanoseconds; positions are those in the file; lengths are
 * those of complete records, including opcode. Byte buffers are read-only and start at the first byte.
 *
 * @see <a href="https://mcap.dev/spec#records">MCAP specification, "Records"</a>
 */
public sealed interface McapRecord {
    /** The first record. */
    record Header(String profile, String library) implements McapRecord {}

    /** The meaning of a channel's messages. {@code id} is 1 to 65535. */
    record Schema(int id, String name, String encoding, ByteBuffer data) implements McapRecord {
        public Schema {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /** A stream of messages. {@code schemaId} is 0 if there is no schema. */
    record Channel(int id, int schemaId, String topic, String messageEncoding, Map<String, String> metadata)
            implements McapRecord {}

    /** Precedes its messages, schemas and channels. */
    record Chunk(
            long position,
            long startTimeNs,
            long endTimeNs,
            long uncompressedBytes,
            String compression,
            long compressedBytes)
            implements McapRecord {}

    /**
     * The places of a channel's messages in the previous chunk: time, and offset in the uncompressed chunk, of each.
     */
    record MessageIndex(int channelId, ByteBuffer entries) implements McapRecord {
        private static final int ENTRY_BYTES = 16;

        public MessageIndex {
            entries = entries.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public ByteBuffer entries() {
            return entries.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }

        public int count() {
            return entries.limit() / ENTRY_BYTES;
        }

        public long timeNs(int index) {
            return entries.getLong(index * ENTRY_BYTES);
        }

        public long offset(int index) {
            return entries.getLong(index * ENTRY_BYTES + Long.BYTES);
        }
    }

    /**
     * The place of a chunk.
     *
     * @param messageIndexes positions of the message indexes after the chunk, by channel
     * @param messageIndexBytes length of all of them
     */
    record ChunkIndex(
            long startTimeNs,
            long endTimeNs,
            long position,
            long length,
            Map<Integer, Long> messageIndexes,
            long messageIndexBytes,
            String compression,
            long compressedBytes,
            long uncompressedBytes)
            implements McapRecord {}

    /** A file within the file, without its data, which are at {@code dataPosition}. Its checksum, if any, is valid. */
    record Attachment(
            long logTimeNs, long createTimeNs, String name, String mediaType, long dataPosition, long dataLength)
            implements McapRecord {}

    record AttachmentIndex(
            long position,
            long length,
            long logTimeNs,
            long createTimeNs,
            long dataLength,
            String name,
            String mediaType)
            implements McapRecord {}

    /** Totals; times are 0 if there is no message. */
    record Statistics(
            long messages,
            int schemas,
            long channels,
            long attachments,
            long metadata,
            long chunks,
            long startTimeNs,
            long endTimeNs,
            Map<Integer, Long> messagesByChannel)
            implements McapRecord {}

    record Metadata(String name, Map<String, String> values) implements McapRecord {}

    record MetadataIndex(long position, long length, String name) implements McapRecord {}

    /** The place of the summary's records of one kind. */
    record SummaryOffset(int opcode, long position, long length) implements McapRecord {}

    /** The end of the data section; {@code crc} is 0 if the writer computed none. */
    record DataEnd(long crc) implements McapRecord {}

    /** The last record. Positions are 0 for missing sections. */
    record Footer(long summaryPosition, long summaryOffsetPosition, long crc) implements McapRecord {}

    /** A record of an opcode that the specification does not define; it was skipped. */
    record Unknown(int opcode, long position, long length) implements McapRecord {}
}
