package org.mavlogd.mcap;

import java.nio.ByteBuffer;

/** Decodes records from their fields. Bytes after the last known field are ignored, as the specification requires. */
final class RecordDecoder {
    private static final int INDEX_ENTRY_BYTES = 16;

    private RecordDecoder() {}

    /** Decodes a record of a known opcode, except messages, chunks and attachments. */
    static McapRecord decode(int opcode, FieldCursor fields) throws McapException {
        return switch (opcode) {
            case McapLayout.HEADER -> new McapRecord.Header(fields.string("profile"), fields.string("library"));
            case McapLayout.FOOTER ->
                new McapRecord.Footer(
                        fields.int64("summary start"), fields.int64("summary offset start"), fields.uint32("crc"));
            case McapLayout.SCHEMA -> schema(fields);
            case McapLayout.CHANNEL -> channel(fields);
            case McapLayout.MESSAGE_INDEX -> messageIndex(fields);
            case McapLayout.CHUNK_INDEX -> chunkIndex(fields);
            case McapLayout.ATTACHMENT_INDEX -> attachmentIndex(fields);
            case McapLayout.STATISTICS -> statistics(fields);
            case McapLayout.METADATA -> new McapRecord.Metadata(fields.string("name"), fields.texts("metadata"));
            case McapLayout.METADATA_INDEX ->
                new McapRecord.MetadataIndex(fields.int64("offset"), fields.int64("length"), fields.string("name"));
            case McapLayout.SUMMARY_OFFSET ->
                new McapRecord.SummaryOffset(
                        fields.uint8("group opcode"), fields.int64("group start"), fields.int64("group length"));
            case McapLayout.DATA_END -> new McapRecord.DataEnd(fields.uint32("crc"));
            default -> throw new IllegalArgumentException("opcode " + opcode);
        };
    }

    private static McapRecord.Schema schema(FieldCursor fields) throws McapException {
        int id = fields.uint16("id");
        if (id == 0) {
            throw fields.failure("id is 0");
        }
        return new McapRecord.Schema(id, fields.string("name"), fields.string("encoding"), fields.blob("data"));
    }

    private static McapRecord.Channel channel(FieldCursor fields) throws McapException {
        return new McapRecord.Channel(
                fields.uint16("id"),
                fields.uint16("schema id"),
                fields.string("topic"),
                fields.string("message encoding"),
                fields.texts("metadata"));
    }

    private static McapRecord.MessageIndex messageIndex(FieldCursor fields) throws McapException {
        int channelId = fields.uint16("channel id");
        ByteBuffer entries = fields.blob("records");
        if (entries.limit() % INDEX_ENTRY_BYTES != 0) {
            throw fields.failure("records: " + entries.limit() + " bytes are no multiple of " + INDEX_ENTRY_BYTES);
        }
        return new McapRecord.MessageIndex(channelId, entries);
    }

    private static McapRecord.ChunkIndex chunkIndex(FieldCursor fields) throws McapException {
        return new McapRecord.ChunkIndex(
                fields.int64("start time"),
                fields.int64("end time"),
                fields.int64("chunk start"),
                fields.int64("chunk length"),
                fields.numbersByChannel("message index offsets"),
                fields.int64("message index length"),
                fields.string("compression"),
                fields.int64("compressed size"),
                fields.int64("uncompressed size"));
    }

    private static McapRecord.AttachmentIndex attachmentIndex(FieldCursor fields) throws McapException {
        return new McapRecord.AttachmentIndex(
                fields.int64("offset"),
                fields.int64("length"),
                fields.int64("log time"),
                fields.int64("create time"),
                fields.int64("data size"),
                fields.string("name"),
                fields.string("media type"));
    }

    private static McapRecord.Statistics statistics(FieldCursor fields) throws McapException {
        return new McapRecord.Statistics(
                fields.int64("message count"),
                fields.uint16("schema count"),
                fields.uint32("channel count"),
                fields.uint32("attachment count"),
                fields.uint32("metadata count"),
                fields.uint32("chunk count"),
                fields.int64("start time"),
                fields.int64("end time"),
                fields.numbersByChannel("channel message counts"));
    }
}
