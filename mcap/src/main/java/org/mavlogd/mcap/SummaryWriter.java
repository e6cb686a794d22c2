package org.mavlogd.mcap;

import java.io.IOException;
import java.util.Arrays;

/**
 * Collects the summary at the end of a file: repeated schemas and channels, totals, and indexes, already encoded. If
 * the indexes exceed their limit, they are discarded and the file gets no summary.
 */
final class SummaryWriter {
    private final int maxIndexBytes;
    private final RecordEncoder schemas = new RecordEncoder();
    private final RecordEncoder channels = new RecordEncoder();
    private final RecordEncoder chunks = new RecordEncoder();
    private final RecordEncoder attachments = new RecordEncoder();
    private final RecordEncoder metadata = new RecordEncoder();
    private final RecordEncoder out = new RecordEncoder();
    private long[] messagesByChannel = {};
    private int schemaCount;
    private int channelCount;
    private long messageCount;
    private long chunkCount;
    private long attachmentCount;
    private long metadataCount;
    private long startTimeNs;
    private long endTimeNs;
    private boolean isGivenUp;

    SummaryWriter(int maxIndexBytes) {
        this.maxIndexBytes = maxIndexBytes;
    }

    int schemaCount() {
        return schemaCount;
    }

    int channelCount() {
        return channelCount;
    }

    int definitionBytes() {
        return schemas.length() + channels.length();
    }

    void onSchema(RecordEncoder record) {
        schemas.raw(record.bytes(), 0, record.length());
        schemaCount++;
    }

    void onChannel(RecordEncoder record) {
        channels.raw(record.bytes(), 0, record.length());
        if (channelCount == messagesByChannel.length) {
            messagesByChannel = Arrays.copyOf(messagesByChannel, Math.max(16, channelCount * 2));
        }
        channelCount++;
    }

    /** Hot path. */
    void onMessage(int channelId, long timeNs) {
        boolean isFirst = messageCount == 0;
        startTimeNs = isFirst || Long.compareUnsigned(timeNs, startTimeNs) < 0 ? timeNs : startTimeNs;
        endTimeNs = isFirst || Long.compareUnsigned(timeNs, endTimeNs) > 0 ? timeNs : endTimeNs;
        messageCount++;
        messagesByChannel[channelId]++;
    }

    /** Writes the chunk, and records its index. */
    void onChunk(ChunkWriter chunk, CheckedSink sink) throws IOException {
        chunk.flush(sink, chunks);
        chunkCount++;
        boundIndexes();
    }

    /** Records metadata that ends at {@code end}. */
    void onMetadata(long position, long end, String name) {
        int start = metadata.begin(McapLayout.METADATA_INDEX);
        metadata.int64(position);
        metadata.int64(end - position);
        metadata.string(name);
        metadata.end(start);
        metadataCount++;
        boundIndexes();
    }

    void onAttachment(McapRecord.AttachmentIndex index) {
        int start = attachments.begin(McapLayout.ATTACHMENT_INDEX);
        attachments.int64(index.position());
        attachments.int64(index.length());
        attachments.int64(index.logTimeNs());
        attachments.int64(index.createTimeNs());
        attachments.int64(index.dataLength());
        attachments.string(index.name());
        attachments.string(index.mediaType());
        attachments.end(start);
        attachmentCount++;
        boundIndexes();
    }

    private void boundIndexes() {
        isGivenUp |= (long) chunks.length() + attachments.length() + metadata.length() > maxIndexBytes;
        if (isGivenUp) {
            chunks.clear();
            attachments.clear();
            metadata.clear();
        }
    }

    /** Writes summary, summary offsets and footer directly after the data section. */
    void write(CheckedSink sink) throws IOException {
        sink.resetCrc();
        long start = sink.position();
        long offsets = 0;
        if (!isGivenUp) {
            encodeOffsetsAfterWritingGroups(sink);
            offsets = sink.position();
            sink.write(out.buffer());
        }
        out.clear();
        int footer = out.begin(McapLayout.FOOTER);
        out.int64(isGivenUp ? 0 : start);
        out.int64(offsets);
        out.end(footer, Integer.BYTES);
        sink.write(out.buffer());
        long crc = sink.crc();
        out.clear();
        out.uint32(crc);
        sink.write(out.buffer());
    }

    private void encodeOffsetsAfterWritingGroups(CheckedSink sink) throws IOException {
        out.clear();
        writeGroup(McapLayout.SCHEMA, schemas, sink);
        writeGroup(McapLayout.CHANNEL, channels, sink);
        writeGroup(McapLayout.STATISTICS, statistics(), sink);
        writeGroup(McapLayout.CHUNK_INDEX, chunks, sink);
        writeGroup(McapLayout.ATTACHMENT_INDEX, attachments, sink);
        writeGroup(McapLayout.METADATA_INDEX, metadata, sink);
    }

    private void writeGroup(int opcode, RecordEncoder group, CheckedSink sink) throws IOException {
        if (group.length() == 0) {
            return;
        }
        int start = out.begin(McapLayout.SUMMARY_OFFSET);
        out.uint8(opcode);
        out.int64(sink.position());
        out.int64(group.length());
        out.end(start);
        sink.write(group.buffer());
    }

    private RecordEncoder statistics() {
        RecordEncoder statistics = new RecordEncoder();
        int start = statistics.begin(McapLayout.STATISTICS);
        statistics.int64(messageCount);
        statistics.uint16(schemaCount);
        statistics.uint32(channelCount);
        statistics.uint32(attachmentCount);
        statistics.uint32(metadataCount);
        statistics.uint32(chunkCount);
        statistics.int64(startTimeNs);
        statistics.int64(endTimeNs);
        int map = statistics.beginLength();
        for (int channelId = 0; channelId < channelCount; channelId++) {
            statistics.uint16(channelId);
            statistics.int64(messagesByChannel[channelId]);
        }
        statistics.endLength(map);
        statistics.end(start);
        return statistics;
    }
}
