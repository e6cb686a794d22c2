package org.mavlogd.tlog;

import java.nio.ByteBuffer;

/**
 * The layout of a telemetry log ({@code .tlog}), as QGroundControl, MAVProxy and Mission Planner write it: records one
 * after the other, without a file header.
 *
 * <pre>
 * time(8, big endian: microseconds since 1970, UTC)  frame
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/guide/serialization.html">Frames</a>
 */
public final class TlogLayout {
    /** Length of the time before each frame. */
    public static final int TIME_LENGTH = Long.BYTES;

    /** Maximum length of a record. */
    public static final int MAX_RECORD_LENGTH = TIME_LENGTH + 280;

    /** Bytes of a record that are needed to compute its length. */
    public static final int HEAD_LENGTH = TIME_LENGTH + 3;

    // The parts of frames, MAVLink 1 and 2, that are needed to find their end.
    private static final byte START_V1 = (byte) 0xFE;
    private static final byte START_V2 = (byte) 0xFD;
    private static final int PAYLOAD_LENGTH_OFFSET = 1;
    private static final int FLAGS_OFFSET_V2 = 2;
    private static final int FLAG_SIGNED = 1;
    private static final int OVERHEAD_V1 = 8;
    private static final int OVERHEAD_V2 = 12;
    private static final int SIGNATURE_LENGTH = 13;
    private static final int SYSTEM_OFFSET_V1 = 3;
    private static final int SYSTEM_OFFSET_V2 = 5;

    /** Returned if no record starts here. */
    public static final int NO_RECORD = -1;

    /** The year 2100. A clock that was never set may show 1970. */
    private static final long LATEST_US = 4_102_444_800_000_000L;
    // Records in a row that are not random: each has a plausible time and starts at the end of the previous one.
    private static final int CHAIN = 8;

    private TlogLayout() {}

    /** Whether frames start with this byte. */
    public static boolean isFrame(byte first) {
        return first == START_V1 || first == START_V2;
    }

    /** Offset of the sender's system id in a frame that starts with this byte. */
    public static int systemOffset(byte first) {
        return first == START_V1 ? SYSTEM_OFFSET_V1 : SYSTEM_OFFSET_V2;
    }

    /** Writes the time at the start of a record. */
    public static void time(byte[] target, int offset, long utcUs) {
        for (int i = 0; i < TIME_LENGTH; i++) {
            target[offset + i] = (byte) (utcUs >>> (Long.SIZE - Byte.SIZE * (i + 1)));
        }
    }

    /** The time of a record, in microseconds since 1970. */
    public static long timeUs(byte[] buffer, int offset) {
        return ByteBuffer.wrap(buffer, offset, TIME_LENGTH).getLong();
    }

    /**
     * Length of the record that starts here, computed from its first {@link #HEAD_LENGTH} bytes; {@link #NO_RECORD} if
     * none can start here.
     */
    public static int recordLength(byte[] buffer, int offset) {
        long utcUs = timeUs(buffer, offset);
        int frame = offset + TIME_LENGTH;
        if (utcUs < 0 || utcUs >= LATEST_US || !isFrame(buffer[frame])) {
            return NO_RECORD;
        }
        int payload = buffer[frame + PAYLOAD_LENGTH_OFFSET] & 0xFF;
        if (buffer[frame] == START_V1) {
            return TIME_LENGTH + payload + OVERHEAD_V1;
        }
        boolean isSigned = (buffer[frame + FLAGS_OFFSET_V2] & FLAG_SIGNED) != 0;
        return TIME_LENGTH + payload + OVERHEAD_V2 + (isSigned ? SIGNATURE_LENGTH : 0);
    }

    /** Whether these bytes have records that are not random: one at the start, or several in a row anywhere. */
    public static boolean hasRecords(byte[] bytes, int length) {
        for (int start = 0; start + HEAD_LENGTH <= length; start++) {
            int records = count(bytes, start, length);
            if (records >= CHAIN || (start == 0 && records > 0 && endsWell(bytes, records, length))) {
                return true;
            }
        }
        return false;
    }

    /** Whether another record, or nothing, follows this number of records. */
    private static boolean endsWell(byte[] bytes, int records, int length) {
        int at = end(bytes, 0, records);
        return length - at < HEAD_LENGTH || recordLength(bytes, at) != NO_RECORD;
    }

    /**
     * Index after the last complete record: after a power cut a file may end inside a record, or with zeros, and have
     * damage before its last records.
     *
     * @param tail last bytes of the file
     * @param isWholeFile whether the file starts with them; otherwise they may start inside a record
     * @return {@link #NO_RECORD} if the tail has no records
     */
    public static int endOfRecords(byte[] tail, boolean isWholeFile) {
        int last = NO_RECORD;
        for (int start = 0; start + HEAD_LENGTH <= tail.length; ) {
            int records = count(tail, start, tail.length);
            boolean isChain = records >= CHAIN || (records > 0 && start == 0 && isWholeFile);
            last = isChain ? end(tail, start, records) : last;
            start = isChain ? last : start + 1;
        }
        return last;
    }

    /** Number of complete consecutive records from here on. */
    private static int count(byte[] bytes, int start, int length) {
        int records = 0;
        for (int at = start; at + HEAD_LENGTH <= length; records++) {
            int next = recordLength(bytes, at);
            if (next == NO_RECORD || at + next > length) {
                break;
            }
            at += next;
        }
        return records;
    }

    private static int end(byte[] bytes, int start, int records) {
        int at = start;
        for (int i = 0; i < records; i++) {
            at += recordLength(bytes, at);
        }
        return at;
    }
}
