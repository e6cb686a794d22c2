package org.mavlogd.mcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The records of a file but for messages. Times are unsigned nanoseconds; positions are those in the file, lengths those
 * of complete records, opcode included. Byte buffers are read-only and begin at the first byte.
 *
 * @see <a href="https://mcap.dev/spec#records">MCAP specification, "Records"</a>
 */
public sealed interface McapRecord {
    /** The first record. */
    record Header(String profile, String library) implements McapRecord {}

    /** What messages of a channel mean. {@code id} is 1 to 65535. */
    record Schema(int id, String name, String encoding, ByteBuffer data) implements McapRecord {
        public Schema {
            data = data.asReadOnlyBuffer();
        }

        @Override
        public ByteBuffer data() {
            return data.duplicate();
        }
    }

    /** A stream of messages. {@code schemaId} 0 says that there is no schema. */
    record Channel(int id, int schemaId, String topic, String messageEncoding, Map<String, String> metadata)
            implements McapRecord {}

    /** Heads the messages, schemas and channels in it, which follow. */
    record Chunk(
            long position,
            long startTimeNs,
            long endTimeNs,
            long uncompressedBytes,
            String compression,
            long compressedBytes)
            implements McapRecord {}

    /** Where the messages of a channel are in the chunk before: time and offset in the uncompressed chunk of each. */
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
     * Where a chunk is.
     *
     * @param messageIndexes positions of the message indexes behind the chunk, by channel
     * @param messageIndexBytes of all of them
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

    /** A file within the file, without its data: those are at {@code dataPosition}. Its checksum was right, if it has one. */
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

    /** Totals; times 0 if there is no message. */
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

    /** Where the summary's records of one kind are. */
    record SummaryOffset(int opcode, long position, long length) implements McapRecord {}

    /** The data section ends here; {@code crc} 0 says that the writer made none. */
    record DataEnd(long crc) implements McapRecord {}

    /** The last record. Positions are 0 if there is no such section. */
    record Footer(long summaryPosition, long summaryOffsetPosition, long crc) implements McapRecord {}

    /** A record of an opcode that the specification does not name; it was stepped over. */
    record Unknown(int opcode, long position, long length) implements McapRecord {}
}
