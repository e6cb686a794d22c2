package org.mavlogd.ulog;

/**
 * Makes whole times of timestamps of 8, 16 or 32 bits, which wrap.
 *
 * <p>The time is the first one with these low bits that is not before the topic's last and not more than half a wrap
 * before the log's clock: the newest time of any topic, moved on by dropouts.
 *
 * @see <a href="https://github.com/PX4/PX4-Devguide/blob/v1.8.2/en/log/ulog_file_format.md">ULog version 0,
 *     "timestamp"</a>
 */
final class SmallTime {
    private static final int US_PER_MS = 1000;

    private @Nullable Column column;
    private long wrap;
    private int unitUs = 1;
    private long lastUnits = -1;

    void use(Column timestamp) {
        column = timestamp;
        int bits = Byte.SIZE * timestamp.type().length();
        wrap = bits == Long.SIZE ? 0 : 1L << bits;
        unitUs = timestamp.type() == FieldType.UINT8 ? US_PER_MS : 1;
    }

    /** Of the sample whose fields begin at {@code offset}, in microseconds; 0 if the topic has no timestamp. */
    long timestampUs(byte[] buffer, int offset, long clockUs) {
        if (column == null) {
            return 0;
        }
        int at = offset + column.offset();
        long low = switch (column.type()) {
            case UINT8 -> Bytes.uint8(buffer, at);
            case UINT16 -> Bytes.uint16(buffer, at);
            default -> Bytes.int32(buffer, at) & 0xFFFF_FFFFL;
        };
        long earliest = Math.max(Math.max(lastUnits, 0), clockUs / unitUs - wrap / 2);
        lastUnits = earliest + Math.floorMod(low - earliest, wrap);
        return lastUnits * unitUs;
    }
}
