package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes a complete file to a channel: chunks with message indexes, attachments and metadata, then data end, summary
 * and footer. Every checksum of the format is set.
 *
 * <p>Messages are collected in chunks and compressed. A message larger than a chunk gets its own. Ids are assigned in
 * the order of the calls: schemas from 1, channels from 0. Messages need not be sorted by time.
 *
 * <p>Limits: 65,535 schemas, 65,536 channels, together {@link #MAX_DEFINITIONS_BYTES}; messages of {@link
 * #MAX_MESSAGE_BYTES}; names of {@link #MAX_NAME_CHARS}; metadata about {@link McapLayout#MAX_DEFINITION_BYTES},
 * counting three bytes for each character. Records that exceed them are refused with {@link McapException}, and no part
 * of them is written. Memory is bounded: about four chunks, the definitions, and {@link Settings#maxIndexBytes} of
 * indexes. If the indexes of a very large file need more, the file gets no summary, which the format allows; readers
 * then read it from its start.
 *
 * <p>Owned by one thread. After an exception of the channel the writer must not be used again. Never closes the
 * channel; without {@link #finish} the file is truncated.
 *
 * <pre>{@code
 * McapWriter writer = new McapWriter(channel, McapWriter.Settings.of("px4", "mavlogd"));
 * int schema = writer.addSchema("px4.cpuload", "protobuf", descriptors);
 * int cpuload = writer.addChannel("cpuload/0", schema, "protobuf", Map.of());
 * writer.message(cpuload, sequence, timeNs, timeNs, data, 0, data.length);
 * writer.finish();
 * }</pre>
 *
 * @see <a href="https://mcap.dev/spec">MCAP specification</a>
 */
public final class McapWriter implements MessageSink {
    public static final int MAX_MESSAGE_BYTES = 4 << 20;
    public static final int MAX_DEFINITIONS_BYTES = 8 << 20;
    public static final int NO_SCHEMA = 0;

    /** Limit of names, topics, encodings, profiles, libraries and media types. */
    public static final int MAX_NAME_CHARS = 65_535;

    // Maximum bytes of a char.
    private static final int MAX_UTF8 = 3;
    private static final int DEFAULT_CHUNK_BYTES = 1 << 20;
    private static final int MAX_CHUNK_BYTES = 8 << 20;
    private static final int DEFAULT_INDEX_BYTES = 8 << 20;

    /**
     * The settings of a file.
     *
     * @param profile of the messages, from the registry of MCAP; empty for none
     * @param library name and version of the writing program
     * @param chunkBytes uncompressed size of a chunk, 1 byte to 8 MiB
     * @param maxIndexBytes maximum size of the indexes of chunks, attachments and metadata
     */
    public record Settings(
            String profile, String library, McapCompression compression, int chunkBytes, int maxIndexBytes) {
        public Settings {
            if (chunkBytes < 1 || chunkBytes > MAX_CHUNK_BYTES) {
                throw new IllegalArgumentException("chunks of " + chunkBytes + " bytes, not 1 to " + MAX_CHUNK_BYTES);
            }
        }

        /** Chunks of 1 MiB, zstd. */
        public static Settings of(String profile, String library) {
            return new Settings(profile, library, McapCompression.ZSTD, DEFAULT_CHUNK_BYTES, DEFAULT_INDEX_BYTES);
        }
    }

    private final CheckedSink sink;
    private final ChunkWriter chunk;
    private final SummaryWriter summary;
    private final RecordEncoder record = new RecordEncoder();
    private final int chunkBytes;
    private boolean isFinished;

    /** Writes the header. */
    public McapWriter(WritableByteChannel channel, Settings settings) throws IOException {
        chunkBytes = settings.chunkBytes();
        sink = new CheckedSink(channel);
        chunk = new ChunkWriter(settings.compression());
        summary = new SummaryWriter(settings.maxIndexBytes());
        checkName("profile", settings.profile());
        checkName("library", settings.library());
        sink.write(ByteBuffer.wrap(McapLayout.magic()));
        int start = begin(McapLayout.HEADER);
        record.string(settings.profile());
        record.string(settings.library());
        write(start);
    }

    /** Adds a schema and returns its id, from 1. */
    @Override
    public int addSchema(String name, String encoding, byte[] data) throws IOException {
        checkOpen();
        checkName("schema name", name);
        checkName("schema encoding", encoding);
        int id = summary.schemaCount() + 1;
        if (id >= McapLayout.MAX_IDS) {
            throw new McapException("more than " + (McapLayout.MAX_IDS - 1) + " schemas");
        }
        checkDefinition("schema", name, data.length);
        int start = begin(McapLayout.SCHEMA);
        record.uint16(id);
        record.string(name);
        record.string(encoding);
        record.blob(data);
        define("schema", name, start);
        summary.onSchema(record);
        return id;
    }

    /**
     * Adds a channel and returns its id, from 0.
     *
     * @param schemaId from {@link #addSchema}, or {@link #NO_SCHEMA}
     */
    @Override
    public int addChannel(String topic, int schemaId, String messageEncoding, Map<String, String> metadata)
            throws IOException {
        checkOpen();
        if (schemaId < 0 || schemaId > summary.schemaCount()) {
            throw new IllegalArgumentException("channel \"" + topic + "\": there is no schema " + schemaId);
        }
        checkName("topic", topic);
        checkName("message encoding", messageEncoding);
        int id = summary.channelCount();
        if (id >= McapLayout.MAX_IDS) {
            throw new McapException("more than " + McapLayout.MAX_IDS + " channels");
        }
        checkDefinition("channel", topic, bytes(metadata));
        int start = begin(McapLayout.CHANNEL);
        record.uint16(id);
        record.uint16(schemaId);
        record.string(topic);
        record.string(messageEncoding);
        record.texts(metadata);
        define("channel", topic, start);
        summary.onChannel(record);
        chunk.addChannel();
        return id;
    }

    /**
     * Adds a message to the chunk. Allocates nothing once the buffers have grown. Hot path.
     *
     * @param sequence 0 to 2^32 - 1; 0 if the messages are not counted
     * @param logTimeNs unsigned nanoseconds, by which readers sort
     * @param publishTimeNs on the same clock; the log time if unknown
     */
    @Override
    public void message(
            int channelId, long sequence, long logTimeNs, long publishTimeNs, byte[] data, int offset, int length)
            throws IOException {
        checkOpen();
        if (channelId < 0 || channelId >= summary.channelCount()) {
            throw new IllegalArgumentException("there is no channel " + channelId);
        }
        if (length > MAX_MESSAGE_BYTES) {
            throw new McapException("message of " + length + " bytes exceeds the limit of " + MAX_MESSAGE_BYTES);
        }
        makeRoom(McapLayout.RECORD_HEADER_BYTES + McapLayout.MESSAGE_HEADER_BYTES + length);
        chunk.note(channelId, logTimeNs);
        RecordEncoder records = chunk.records();
        int start = records.begin(McapLayout.MESSAGE);
        records.uint16(channelId);
        records.uint32(sequence);
        records.int64(logTimeNs);
        records.int64(publishTimeNs);
        records.raw(data, offset, length);
        records.end(start);
        summary.onMessage(channelId, logTimeNs);
    }

    /** Writes named values about the file; a name may be repeated. */
    @Override
    public void metadata(String name, Map<String, String> values) throws IOException {
        checkOpen();
        checkName("metadata name", name);
        checkDefinition("metadata", name, bytes(values));
        flushChunk();
        long position = sink.position();
        int start = begin(McapLayout.METADATA);
        record.string(name);
        record.texts(values);
        write(start);
        summary.onMetadata(position, sink.position(), name);
    }

    /** Writes a file within the file, of any length. */
    public void attachment(long logTimeNs, long createTimeNs, String name, String mediaType, ByteBuffer data)
            throws IOException {
        checkOpen();
        checkName("attachment name", name);
        checkName("media type", mediaType);
        flushChunk();
        long position = sink.position();
        int dataLength = data.remaining();
        int start = begin(McapLayout.ATTACHMENT);
        record.int64(logTimeNs);
        record.int64(createTimeNs);
        record.string(name);
        record.string(mediaType);
        record.int64(dataLength);
        record.end(start, (long) dataLength + Integer.BYTES);
        writeWithCrc(data);
        summary.onAttachment(new McapRecord.AttachmentIndex(
                position, sink.position() - position, logTimeNs, createTimeNs, dataLength, name, mediaType));
    }

    /** Writes the current record, the data, and the checksum of both without opcode and length. */
    private void writeWithCrc(ByteBuffer data) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(record.buffer().position(McapLayout.RECORD_HEADER_BYTES));
        crc.update(data.duplicate());
        sink.write(record.buffer());
        sink.write(data);
        record.clear();
        record.uint32(crc.getValue());
        sink.write(record.buffer());
    }

    /** Writes all collected messages and the end of the file. Nothing can be added after it. */
    @Override
    public void finish() throws IOException {
        checkOpen();
        flushChunk();
        isFinished = true;
        long crc = sink.crc();
        int start = begin(McapLayout.DATA_END);
        record.uint32(crc);
        write(start);
        summary.write(sink);
        sink.write(ByteBuffer.wrap(McapLayout.magic()));
    }

    private int begin(int opcode) {
        record.clear();
        return record.begin(opcode);
    }

    private void write(int start) throws IOException {
        record.end(start);
        sink.write(record.buffer());
    }

    /** Puts a schema or channel into the chunk, before the messages that need it. */
    private void define(String what, String name, int start) throws IOException {
        record.end(start);
        if ((long) summary.definitionBytes() + record.length() > MAX_DEFINITIONS_BYTES) {
            throw new McapException(what + " \"" + shortened(name) + "\": schemas and channels exceed the limit of "
                    + MAX_DEFINITIONS_BYTES + " bytes");
        }
        makeRoom(record.length());
        chunk.records().raw(record.bytes(), 0, record.length());
    }

    private void makeRoom(int bytes) throws IOException {
        if (chunk.length() + bytes > chunkBytes) {
            flushChunk();
        }
    }

    private void flushChunk() throws IOException {
        if (chunk.length() > 0) {
            summary.onChunk(chunk, sink);
        }
    }

    private void checkOpen() {
        if (isFinished) {
            throw new IllegalStateException("the file is finished");
        }
    }

    private static void checkName(String what, String name) throws McapException {
        if (name.length() > MAX_NAME_CHARS) {
            throw new McapException(what + " \"" + shortened(name) + "\": " + name.length()
                    + " characters exceed the limit of " + MAX_NAME_CHARS);
        }
    }

    /** Checks the size of a record with a name and other content. */
    private static void checkDefinition(String what, String name, long bytes) throws McapException {
        // The rest of the record is two names and some numbers.
        long limit = McapLayout.MAX_DEFINITION_BYTES - 8L * MAX_NAME_CHARS;
        if (bytes > limit) {
            throw new McapException(
                    what + " \"" + shortened(name) + "\": " + bytes + " bytes exceed the limit of " + limit);
        }
    }

    private static long bytes(Map<String, String> map) throws McapException {
        if (map.size() > McapLayout.MAX_MAP_ENTRIES) {
            throw new McapException(map.size() + " entries exceed the limit of " + McapLayout.MAX_MAP_ENTRIES);
        }
        long bytes = 0;
        for (Map.Entry<String, String> entry : map.entrySet()) {
            bytes += 2L * Integer.BYTES
                    + MAX_UTF8
                            * ((long) entry.getKey().length() + entry.getValue().length());
        }
        return bytes;
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
