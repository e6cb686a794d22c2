package org.mavlogd.mcap;

import java.io.IOException;
import java.util.zip.CRC32;
import org.mavlogd.mcap.RecordSource.Step;

/** Reads the head of an attachment, and skips and checks its data, so that attachments may have any length. */
final class AttachmentReader {
    private static final int TIMES_BYTES = 16;
    private static final int CRC_BYTES = 4;

    private final RecordSource source;
    private final FieldCursor fields = new FieldCursor();
    private final CRC32 crc = new CRC32();
    private int have;

    AttachmentReader(RecordSource source) {
        this.source = source;
    }

    /** Reads the attachment at the source's position. */
    Step read(McapHandler handler) throws IOException {
        have = 0;
        crc.reset();
        McapRecord.Attachment attachment;
        try {
            if (readHead() == Step.CUT) {
                return Step.CUT;
            }
            attachment = attachment();
        } catch (McapException damage) {
            if (source.skip(left(), crc) == Step.CUT) {
                return Step.CUT;
            }
            handler.onDamage(damage);
            return Step.RECORD;
        }
        return readData(handler, attachment);
    }

    private Step readHead() throws IOException {
        if (more(TIMES_BYTES) == Step.CUT || string("name") == Step.CUT || string("media type") == Step.CUT) {
            return Step.CUT;
        }
        return more(Long.BYTES);
    }

    private Step string(String field) throws IOException {
        int from = have;
        if (more(Integer.BYTES) == Step.CUT) {
            return Step.CUT;
        }
        fields.skip(from);
        long length = fields.uint32(field);
        if (length > left() || length > McapLayout.MAX_DEFINITION_BYTES) {
            throw fields.failure(field + ": length " + length + " exceeds the record or the limit of "
                    + McapLayout.MAX_DEFINITION_BYTES + " bytes");
        }
        return more((int) length);
    }

    private Step more(int count) throws IOException {
        wrap();
        if (count > left()) {
            throw fields.failure("length " + source.length() + " is less than its fields take");
        }
        if (source.readInto(have, count) == Step.CUT) {
            return Step.CUT;
        }
        have += count;
        wrap();
        return Step.RECORD;
    }

    private void wrap() {
        fields.wrap(McapLayout.ATTACHMENT, source.start(), source.content(), have);
    }

    /** Number of unread bytes of the record. */
    private long left() {
        return source.start() + McapLayout.RECORD_HEADER_BYTES + source.length() - source.position();
    }

    private McapRecord.Attachment attachment() throws McapException {
        McapRecord.Attachment attachment = new McapRecord.Attachment(
                fields.int64("log time"),
                fields.int64("create time"),
                fields.string("name"),
                fields.string("media type"),
                source.position(),
                fields.int64("data length"));
        long length = attachment.dataLength();
        if (length < 0 || length > left() - CRC_BYTES) {
            throw fields.failure("data length " + Long.toUnsignedString(length) + " exceeds the " + left()
                    + " bytes left of the record");
        }
        return attachment;
    }

    private Step readData(McapHandler handler, McapRecord.Attachment attachment) throws IOException {
        crc.update(source.content(), 0, have);
        if (source.skip(attachment.dataLength(), crc) == Step.CUT || source.readInto(0, CRC_BYTES) == Step.CUT) {
            return Step.CUT;
        }
        fields.wrap(McapLayout.ATTACHMENT, source.start(), source.content(), CRC_BYTES);
        long expected = fields.uint32("crc");
        long found = crc.getValue();
        if (source.skip(left(), crc) == Step.CUT) {
            return Step.CUT;
        }
        if (expected != 0 && expected != found) {
            handler.onDamage(fields.failure(String.format("it has checksum %08x, not %08x", found, expected)));
        } else {
            handler.onRecord(attachment);
        }
        return Step.RECORD;
    }
}
