package org.mavlogd.mcap;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.zip.CRC32;
import org.mavlogd.mcap.RecordSource.Step;

/**
 * Reads a file by the summary at its end: the overview, and single chunks, without reading the rest.
 *
 * <p>Read the summary before a chunk: it has the channels of the messages in the chunk. Limits, errors and damage are
 * those of {@link McapReader}. Owned by one thread; never closes the channel.
 */
public final class McapIndex {
    private static final int TAIL_BYTES =
            McapLayout.RECORD_HEADER_BYTES + McapLayout.FOOTER_BYTES + McapLayout.magic().length;
    private static final int CRC_BYTES = 4;

    private final SeekableByteChannel file;
    private final McapReader reader;
    private final long footerPosition;
    private final McapRecord.Footer footer;

    /**
     * Reads the footer.
     *
     * @throws McapException if it is not an MCAP file, or truncated and therefore without footer
     */
    public McapIndex(SeekableByteChannel file, McapHandler handler) throws IOException {
        this.file = file;
        reader = new McapReader(file, handler, McapReader.LIMIT_BYTES);
        footerPosition = file.size() - TAIL_BYTES;
        reader.source().seek(file, 0);
        reader.readMagic("an MCAP file begins with");
        if (footerPosition < McapLayout.magic().length) {
            throw new McapException("no footer: the file has " + file.size() + " bytes");
        }
        footer = readFooter();
        if (footer.summaryPosition() < 0 || footer.summaryPosition() > footerPosition) {
            throw new McapException("footer at position " + footerPosition + ": the summary is at position "
                    + Long.toUnsignedString(footer.summaryPosition()) + ", outside of the file");
        }
    }

    private McapRecord.Footer readFooter() throws IOException {
        RecordSource source = reader.source();
        source.seek(file, footerPosition);
        FieldCursor fields = new FieldCursor();
        boolean isFooter = source.next() == Step.RECORD
                && source.opcode() == McapLayout.FOOTER
                && source.length() == McapLayout.FOOTER_BYTES
                && source.readInto(0, McapLayout.FOOTER_BYTES) == Step.RECORD;
        if (!isFooter) {
            throw new McapException("no footer at position " + footerPosition + ": the file is cut or damaged");
        }
        fields.wrap(McapLayout.FOOTER, footerPosition, source.content(), McapLayout.FOOTER_BYTES);
        McapRecord.Footer read = (McapRecord.Footer) RecordDecoder.decode(McapLayout.FOOTER, fields);
        reader.readMagic("an MCAP file ends with");
        return read;
    }

    /** Whether the file has a summary; without one it can only be read from its start. */
    public boolean hasSummary() {
        return footer.summaryPosition() != 0;
    }

    /** Passes on the records of the summary except the footer; none without a summary. */
    public void readSummary() throws IOException {
        if (!hasSummary()) {
            return;
        }
        checkCrc();
        RecordSource source = reader.source();
        source.seek(file, footer.summaryPosition());
        reader.beginSummary(footer.summaryPosition());
        while (source.position() < footerPosition) {
            if (source.next() == Step.CUT || reader.readRecord() == Step.CUT || source.position() > footerPosition) {
                throw new McapException("summary: the record at position " + source.start()
                        + " goes beyond its end at position " + footerPosition);
            }
        }
    }

    private void checkCrc() throws IOException {
        RecordSource source = reader.source();
        source.seek(file, footer.summaryPosition());
        long length = footerPosition
                + McapLayout.RECORD_HEADER_BYTES
                + McapLayout.FOOTER_BYTES
                - CRC_BYTES
                - footer.summaryPosition();
        CRC32 crc = new CRC32();
        if (source.skip(length, crc) == Step.CUT || (footer.crc() != 0 && crc.getValue() != footer.crc())) {
            throw new McapException(String.format(
                    "the summary at position %d has checksum %08x, not %08x",
                    footer.summaryPosition(), crc.getValue(), footer.crc()));
        }
    }

    /** Passes on the chunk of an index and its contents. */
    public void readChunk(McapRecord.ChunkIndex index) throws IOException {
        if (index.position() < 0 || index.position() >= footerPosition) {
            throw new McapException("the index has a chunk at position " + Long.toUnsignedString(index.position())
                    + ", outside of the file");
        }
        RecordSource source = reader.source();
        source.seek(file, index.position());
        reader.beginData();
        if (source.next() == Step.CUT) {
            throw new McapException("no record at position " + index.position());
        }
        if (source.opcode() != McapLayout.CHUNK) {
            throw new McapException("the index has a chunk at position " + index.position() + ", where there is "
                    + McapLayout.name(source.opcode()));
        }
        if (reader.readRecord() == Step.CUT) {
            throw new McapException("the chunk at position " + index.position() + " is cut");
        }
    }
}
