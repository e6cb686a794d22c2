package org.mavlogd.record.blocks;

import org.mavlogd.dataflash.DataFlashDecoder;
import org.mavlogd.dataflash.RecordType;
import org.mavlogd.feed.BlockView;
import org.mavlogd.record.figures.Tally;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the bytes of a log that the mapper found in no intact record, and compares them with the gaps that it was fed:
 * a missing block explains one damaged span of limited length. Any more bytes were received, and are missing in the
 * ULog: one cause is a type that is longer or shorter than its FMT declares. Owned by the recorder's thread.
 */
final class MappedDamage implements DataFlashDecoder.Handler {
    /** Fed in place of blocks that never came: longer than any record, so that no record spans it. */
    static final byte[] HOLE = new byte[600];

    private static final int MAX_RECORD_LENGTH = 255;
    // Next to a gap: a record on each side, and a block before the next gap in which no record is complete.
    private static final int EDGES = 2 * MAX_RECORD_LENGTH + BlockView.DATA_LENGTH;

    private static final Logger LOG = LoggerFactory.getLogger(MappedDamage.class);

    private final String name;
    private final Tally tally;
    private long holes;
    private long holeBytes;
    private long nextNumber = -1;
    private long spans;
    private long bytes;
    private long counted;
    private boolean hasLost;

    MappedDamage(String name, Tally tally) {
        this.name = name;
        this.tally = tally;
    }

    /** Notes that the mapper is fed a {@link #HOLE} for these blocks. Two in a row are one damaged span. */
    void onHole(long firstNumber, long count) {
        holes += firstNumber == nextNumber ? 0 : 1;
        holeBytes += HOLE.length;
        nextNumber = firstNumber + count;
    }

    @Override
    public void onRecord(RecordType type, byte[] buffer, int offset) {}

    @Override
    public void onDamage(long position, long length) {
        spans++;
        bytes += length;
        long more = bytes - holeBytes - counted;
        if (more > 0) {
            counted += more;
            tally.damaged(more);
        }
        if (!hasLost && (spans > holes || bytes - holeBytes > holes * EDGES)) {
            hasLost = true;
            LOG.warn(
                    "{}: {} bytes of the log are in no intact record, and the ULog lacks them; a type of record may have"
                            + " another length than its FMT declares",
                    name,
                    counted);
        }
    }

    /** Bytes that were received and are in no intact record, including those next to gaps. */
    long count() {
        return counted;
    }

    /** Whether more bytes are damaged than missing blocks explain. */
    boolean hasLost() {
        return hasLost;
    }
}
