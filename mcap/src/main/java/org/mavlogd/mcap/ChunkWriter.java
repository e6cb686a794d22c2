package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Collects the records of a chunk and the places of its messages, then writes chunk and message indexes. Memory: twice
 * the chunk, and 32 bytes for each message in it. Reused.
 */
final class ChunkWriter {
    private static final int NONE = -1;
    private static final int FIRST_MESSAGES = 1024;

    private final McapCompression compression;
    private final RecordEncoder records = new RecordEncoder();
    private final RecordEncoder out = new RecordEncoder();
    private final CRC32 crc = new CRC32();
    private byte[] compressed = {};
    private long startTimeNs;
    private long endTimeNs;

    // For each message: its time, its offset, and the next one of its channel.
    private long[] times = new long[FIRST_MESSAGES];
    private int[] offsets = new int[FIRST_MESSAGES];
    private int[] nexts = new int[FIRST_MESSAGES];
    private int messages;

    // For each channel: its first and last message.
    private int[] firsts = {};
    private int[] lasts = {};
    private int channels;

    ChunkWriter(McapCompression compression) {
        this.compression = compression;
    }

    /** Length of the records in the chunk. */
    int length() {
        return records.length();
    }

    /** For schemas and channels, which precede the messages that need them. */
    RecordEncoder records() {
        return records;
    }

    /** Adds a channel that may have messages. */
    void addChannel() {
        if (channels == firsts.length) {
            firsts = Arrays.copyOf(firsts, Math.max(16, channels * 2));
            lasts = Arrays.copyOf(lasts, firsts.length);
        }
        firsts[channels++] = NONE;
    }

    /** Notes a message whose record starts at the current length. Hot path. */
    void note(int channelId, long timeNs) {
        if (messages == times.length) {
            times = Arrays.copyOf(times, messages * 2);
            offsets = Arrays.copyOf(offsets, messages * 2);
            nexts = Arrays.copyOf(nexts, messages * 2);
        }
        boolean isFirst = messages == 0;
        startTimeNs = isFirst || Long.compareUnsigned(timeNs, startTimeNs) < 0 ? timeNs : startTimeNs;
        endTimeNs = isFirst || Long.compareUnsigned(timeNs, endTimeNs) > 0 ? timeNs : endTimeNs;
        times[messages] = timeNs;
        offsets[messages] = records.length();
        nexts[messages] = NONE;
        if (firsts[channelId] == NONE) {
            firsts[channelId] = messages;
        } else {
            nexts[lasts[channelId]] = messages;
        }
        lasts[channelId] = messages;
        messages++;
    }

    /** Writes the chunk, which is not empty, and its index to the summary. */
    void flush(CheckedSink sink, RecordEncoder summary) throws IOException {
        long position = sink.position();
        int size = compress();
        boolean isSmaller = size < records.length();
        String name = isSmaller ? compression.text() : McapCompression.NONE.text();
        ByteBuffer content = isSmaller ? ByteBuffer.wrap(compressed, 0, size) : records.buffer();
        int contentBytes = content.remaining();
        writeChunk(sink, name, content);

        int index = summary.begin(McapLayout.CHUNK_INDEX);
        summary.int64(startTimeNs);
        summary.int64(endTimeNs);
        summary.int64(position);
        summary.int64(sink.position() - position);
        summary.int64(writeMessageIndexes(sink, summary));
        summary.string(name);
        summary.int64(contentBytes);
        summary.int64(records.length());
        summary.end(index);
        clear();
    }

    private int compress() throws McapException {
        if (compression == McapCompression.NONE) {
            return records.length();
        }
        int bound = compression.bound(records.length());
        if (compressed.length < bound) {
            compressed = new byte[bound];
        }
        return compression.compress(records.bytes(), records.length(), compressed);
    }

    private void writeChunk(CheckedSink sink, String name, ByteBuffer content) throws IOException {
        crc.reset();
        crc.update(records.bytes(), 0, records.length());
        out.clear();
        int start = out.begin(McapLayout.CHUNK);
        out.int64(startTimeNs);
        out.int64(endTimeNs);
        out.int64(records.length());
        out.uint32(crc.getValue());
        out.string(name);
        out.int64(content.remaining());
        out.end(start, content.remaining());
        sink.write(out.buffer());
        sink.write(content);
    }

    /**
     * Writes the index of each channel with messages, and its position to the summary; returns the length of the
     * indexes.
     */
    private int writeMessageIndexes(CheckedSink sink, RecordEncoder summary) throws IOException {
        long position = sink.position();
        out.clear();
        int map = summary.beginLength();
        for (int channelId = 0; channelId < channels; channelId++) {
            if (firsts[channelId] != NONE) {
                summary.uint16(channelId);
                summary.int64(position + out.length());
                encodeMessageIndex(channelId);
            }
        }
        summary.endLength(map);
        sink.write(out.buffer());
        return out.length();
    }

    private void encodeMessageIndex(int channelId) {
        int start = out.begin(McapLayout.MESSAGE_INDEX);
        out.uint16(channelId);
        int entries = out.beginLength();
        for (int i = firsts[channelId]; i != NONE; i = nexts[i]) {
            out.int64(times[i]);
            out.int64(offsets[i]);
        }
        out.endLength(entries);
        out.end(start);
        firsts[channelId] = NONE;
    }

    private void clear() {
        records.clear();
        messages = 0;
        startTimeNs = 0;
        endTimeNs = 0;
    }
}
