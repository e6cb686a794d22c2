package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads the number of messages that the vehicle dropped because its stream buffer was full, from DMS records: {@code
 * Dp} is their number since the start of the stream, logged once a second.
 *
 * <p>These messages are spread over the second, so no single place has a gap. Their dropout is their share of the time
 * since the previous DMS: if half of a second's messages were dropped, half a second. The first DMS counts messages
 * that may have been dropped before we joined: it only serves as reference. Owned by the mapper's thread.
 */
final class DroppedRecords implements RecordMeaning {
    static final String TYPE = "DMS";

    private static final String LABEL = "Dp";
    private static final long LONGEST_US = 3_600_000_000L;
    private static final double US_PER_MS = 1000;

    private final RecordType.Field dropped;
    private final MappedLog log;
    private final LongSupplier records;
    private boolean isKnown;
    private long droppedBefore;
    private long recordsBefore;
    private long beforeUs;

    private DroppedRecords(RecordType.Field dropped, MappedLog log, LongSupplier records) {
        this.dropped = dropped;
        this.log = log;
        this.records = records;
    }

    /**
     * Returns empty for other types.
     *
     * @param records number of records received so far
     */
    static Optional<RecordMeaning> of(RecordType type, MappedLog log, LongSupplier records) {
        return type.name().equals(TYPE)
                ? type.integer(LABEL).map(field -> new DroppedRecords(field, log, records))
                : Optional.empty();
    }

    @Override
    public void tell(byte[] buffer, int offset, long timeUs) throws IOException {
        long total = Bytes.integer(dropped.format(), buffer, offset + dropped.offset());
        long came = records.getAsLong();
        if (isKnown && total > droppedBefore) {
            long count = total - droppedBefore;
            double share = (double) count / (count + came - recordsBefore);
            long passedUs = Math.max(0, Math.min(timeUs - beforeUs, LONGEST_US));
            log.dropped(count, Math.round(passedUs * share / US_PER_MS));
        }
        isKnown = true;
        droppedBefore = total;
        recordsBefore = came;
        beforeUs = timeUs;
    }
}
