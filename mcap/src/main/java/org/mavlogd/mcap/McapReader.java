package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from its start, from any blocking channel, and passes its records and messages to a handler.
 *
 * <p>Checks every checksum in the file, and that channels and schemas are known before they are used. A truncated file
 * is read up to its end: {@link Ending} returns where that is. Damage inside a record or chunk is passed to {@link
 * McapHandler#onDamage}; if the length of a record is wrong, the start of the next one is unknown, and the reading ends
 * with {@link McapException}.
 *
 * <p>Limits: {@value #LIMIT_BYTES} bytes, unless another limit is given, for the compressed and uncompressed content of
 * a chunk and for a message; {@link McapLayout#MAX_DEFINITION_BYTES} for other records; none for attachments and
 * records of unknown opcodes, whose data are skipped. Memory is bounded by three times the limit. Compression: none or
 * zstd. Messages allocate nothing. Owned by one thread; never closes the channel.
 *
 * <pre>{@code
 * McapReader.Ending ending = new McapReader(channel, new McapHandler() {
 *     public void onMessage(McapMessageView message) { ... }
 * }).read();
 * }</pre>
 *
 * @see <a href="https://mcap.dev/spec">MCAP specification</a>
 */
public final class McapReader {
    public static final int LIMIT_BYTES = 16 << 20;

    private static final int CRC_BYTES = 4;
    private static final long NO_SUMMARY = -1;

    /**
     * The end of a file.
     *
     * @param isComplete whether the file is complete, up to the closing magic
     * @param position of the first byte after the last complete record: where a truncated file can be continued
     */
    public record Ending(boolean isComplete, long position) {}

    private final McapHandler handler;
    private final RecordSource source;
    private final ChunkReader chunk;
    private final AttachmentReader attachment;
    private final FieldCursor fields = new FieldCursor();
    private final McapMessageView message = new McapMessageView();
    private final BitSet schemas = new BitSet();
    private final BitSet channels = new BitSet();
    private long summaryPosition = NO_SUMMARY;

    public McapReader(ReadableByteChannel channel, McapHandler handler) {
        this(channel, handler, LIMIT_BYTES);
    }

    /** @param limitBytes of a chunk, compressed and uncompressed, and of a message */
    public McapReader(ReadableByteChannel channel, McapHandler handler, int limitBytes) {
        this.handler = handler;
        source = new RecordSource(channel, limitBytes);
        chunk = new ChunkReader(limitBytes);
        attachment = new AttachmentReader(source);
    }

    /**
     * Reads the file to its end.
     *
     * @throws McapException if it is not an MCAP file, or its continuation cannot be read
     */
    public Ending read() throws IOException {
        readMagic("an MCAP file begins with");
        for (boolean first = true; ; first = false) {
            if (source.next() == RecordSource.Step.CUT) {
                return new Ending(false, source.start());
            }
            if (first && source.opcode() != McapLayout.HEADER) {
                throw new McapException(
                        "not an MCAP file: it begins with " + McapLayout.name(source.opcode()) + ", not with a header");
            }
            if (readRecord() == RecordSource.Step.CUT) {
                return new Ending(false, source.start());
            }
            if (source.opcode() == McapLayout.FOOTER) {
                return end();
            }
        }
    }

    /** Reads the end of the file after the footer. */
    private Ending end() throws IOException {
        long position = source.position();
        byte[] magic = new byte[McapLayout.magic().length];
        if (source.read(magic, 0, magic.length) < magic.length) {
            return new Ending(false, position);
        }
        checkMagic(magic, "an MCAP file ends with");
        if (source.read(magic, 0, 1) > 0) {
            throw new McapException(
                    "more bytes follow the end of the file, which is at position " + (source.position() - 1));
        }
        return new Ending(true, source.position());
    }

    void readMagic(String what) throws IOException {
        byte[] magic = new byte[McapLayout.magic().length];
        int count = source.read(magic, 0, magic.length);
        checkMagic(Arrays.copyOf(magic, count), what);
    }

    private static void checkMagic(byte[] found, String what) throws McapException {
        if (!Arrays.equals(found, McapLayout.magic())) {
            HexFormat hex = HexFormat.of();
            throw new McapException("not an MCAP file: " + what + " " + hex.formatHex(McapLayout.magic())
                    + ", not with " + (found.length == 0 ? "nothing" : hex.formatHex(found)));
        }
    }

    RecordSource source() {
        return source;
    }

    /** The next records belong to the summary, after the data. */
    void beginSummary(long position) {
        summaryPosition = position;
    }

    /** The next records belong to the data. */
    void beginData() {
        summaryPosition = NO_SUMMARY;
    }

    /** Reads the content of the current record of the source, and passes it on. */
    RecordSource.Step readRecord() throws IOException {
        int opcode = source.opcode();
        if (opcode == McapLayout.ATTACHMENT) {
            return attachment.read(handler);
        }
        if (!McapLayout.isKnown(opcode)) {
            return skipUnknown();
        }
        source.checkLength();
        if (opcode == McapLayout.FOOTER) {
            return readFooter();
        }
        if (source.readInto(0, (int) source.length()) == RecordSource.Step.CUT) {
            return RecordSource.Step.CUT;
        }
        fields.wrap(opcode, source.start(), source.content(), (int) source.length());
        giveContent(opcode);
        return RecordSource.Step.RECORD;
    }

    /** Passes on the record in {@link #fields}, and the contents of a chunk. */
    private void giveContent(int opcode) throws IOException {
        if (opcode == McapLayout.CHUNK) {
            readChunk();
        } else {
            give(opcode, fields);
        }
        if (opcode == McapLayout.DATA_END) {
            source.resetCrc();
            beginSummary(source.position());
        }
    }

    private RecordSource.Step skipUnknown() throws IOException {
        int opcode = source.opcode();
        if (source.skip(source.length(), new CRC32()) == RecordSource.Step.CUT) {
            return RecordSource.Step.CUT;
        }
        handler.onRecord(
                new McapRecord.Unknown(opcode, source.start(), McapLayout.RECORD_HEADER_BYTES + source.length()));
        return RecordSource.Step.RECORD;
    }

    private void readChunk() throws IOException {
        McapRecord.Chunk header;
        try {
            header = chunk.open(fields);
        } catch (McapException damage) {
            handler.onDamage(damage);
            return;
        }
        handler.onRecord(header);
        while (chunk.hasNext()) {
            int opcode;
            try {
                opcode = chunk.next();
            } catch (McapException damage) {
                handler.onDamage(damage);
                return;
            }
            give(opcode, chunk.fields());
        }
    }

    /** Passes on a record, in or outside a chunk; null is the message in its view. */
    private void give(int opcode, FieldCursor from) throws IOException {
        McapRecord record;
        try {
            record = decode(opcode, from);
        } catch (McapException damage) {
            handler.onDamage(damage);
            return;
        }
        if (record == null) {
            handler.onMessage(message);
        } else {
            handler.onRecord(record);
        }
    }

    private @Nullable McapRecord decode(int opcode, FieldCursor from) throws McapException {
        if (from == fields) {
            checkPlace(opcode);
        } else if (opcode != McapLayout.MESSAGE && opcode != McapLayout.SCHEMA && opcode != McapLayout.CHANNEL) {
            throw from.failure("does not belong into a chunk");
        }
        if (opcode == McapLayout.MESSAGE) {
            message.read(from);
            checkKnown(channels, message.channelId(), "channel", from);
            return null;
        }
        McapRecord record = RecordDecoder.decode(opcode, from);
        note(record, from);
        return record;
    }

    private void checkPlace(int opcode) throws McapException {
        boolean inSummary = summaryPosition != NO_SUMMARY;
        boolean isSummary = opcode == McapLayout.CHUNK_INDEX
                || opcode == McapLayout.ATTACHMENT_INDEX
                || opcode == McapLayout.METADATA_INDEX
                || opcode == McapLayout.STATISTICS
                || opcode == McapLayout.SUMMARY_OFFSET;
        boolean isEither = opcode == McapLayout.SCHEMA || opcode == McapLayout.CHANNEL;
        if (!isEither && inSummary != isSummary) {
            throw fields.failure(
                    inSummary ? "does not belong behind the data" : "does not belong before the end of the data");
        }
    }

    private void note(McapRecord record, FieldCursor from) throws McapException {
        if (record instanceof McapRecord.Schema schema) {
            schemas.set(schema.id());
        } else if (record instanceof McapRecord.Channel channel) {
            if (channel.schemaId() != 0) {
                checkKnown(schemas, channel.schemaId(), "schema", from);
            }
            channels.set(channel.id());
        } else if (record instanceof McapRecord.DataEnd dataEnd) {
            checkCrc(dataEnd.crc(), source.crcBefore(), "the data section", from);
        }
    }

    private static void checkKnown(BitSet known, int id, String what, FieldCursor from) throws McapException {
        if (!known.get(id)) {
            throw from.failure("no " + what + " " + id + " was announced");
        }
    }

    private static void checkCrc(long expected, long found, String what, FieldCursor from) throws McapException {
        if (expected != 0 && expected != found) {
            throw from.failure(String.format("%s has checksum %08x, not %08x", what, found, expected));
        }
    }

    /** The checksum covers the summary section and the footer up to the checksum itself. */
    private RecordSource.Step readFooter() throws IOException {
        int before = McapLayout.FOOTER_BYTES - CRC_BYTES;
        int first = (int) Math.min(before, source.length());
        if (source.readInto(0, first) == RecordSource.Step.CUT) {
            return RecordSource.Step.CUT;
        }
        long found = source.crc();
        int length = (int) source.length();
        if (source.readInto(first, length - first) == RecordSource.Step.CUT) {
            return RecordSource.Step.CUT;
        }
        fields.wrap(McapLayout.FOOTER, source.start(), source.content(), length);
        McapRecord.Footer footer;
        try {
            footer = (McapRecord.Footer) RecordDecoder.decode(McapLayout.FOOTER, fields);
            checkFooter(footer, found);
        } catch (McapException damage) {
            handler.onDamage(damage);
            return RecordSource.Step.RECORD;
        }
        handler.onRecord(footer);
        return RecordSource.Step.RECORD;
    }

    private void checkFooter(McapRecord.Footer footer, long found) throws McapException {
        if (summaryPosition == NO_SUMMARY) {
            throw fields.failure("no data end came before it");
        }
        checkCrc(footer.crc(), found, "the summary section", fields);
        if (footer.summaryPosition() != 0 && footer.summaryPosition() != summaryPosition) {
            throw fields.failure("the summary is at position " + summaryPosition + ", not at "
                    + Long.toUnsignedString(footer.summaryPosition()));
        }
    }
}
