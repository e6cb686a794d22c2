package org.mavlogd.dataflash;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads from the records named DMS how many messages the vehicle itself dropped because its buffer for the stream was full:
 * {@code Dp} is their number since the stream began, logged once a second.
 *
 * <p>They are missing one here and one there, so no place has a gap of its own. Their mark is as long as their share of the
 * time since the DMS before: where half of the messages of a second were dropped, half a second. The first
 * DMS shows what was dropped before it, which may have been before we joined: it is what the others are compared with. Owned by the mapper's thread.
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
     * Empty if the type is another one.
     *
     * @param records that came so far
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
