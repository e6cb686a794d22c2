package org.mavlogd.tlog;

import java.nio.ByteBuffer;

/**
 * Where things are in a telemetry log ({@code .tlog}), as QGroundControl, MAVProxy and Mission Planner write it: records without
 * anything between, before or behind them.
 *
 * <pre>
 * time(8, big endian: microseconds since 1970, UTC)  frame
 * </pre>
 *
 * @see <a href="https://mavlink.io/en/guide/serialization.html">Frames</a>
 */
public final class TlogLayout {
    /** Of the time before each frame. */
    public static final int TIME_LENGTH = Long.BYTES;

    /** Of a record. */
    public static final int MAX_RECORD_LENGTH = TIME_LENGTH + 280;

    /** So many bytes of a record tell its length. */
    public static final int HEAD_LENGTH = TIME_LENGTH + 3;

    // Of a frame, MAVLink 1 and 2: as much as it takes to find its end.
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

    /** No record begins there. */
    public static final int NO_RECORD = -1;

    /** The year 2100. A clock that was never set may say 1970. */
    private static final long LATEST_US = 4_102_444_800_000_000L;
    // Of a chain that is not there by chance: each record has a believable time, and begins where the one before ends.
    private static final int CHAIN = 8;

    private TlogLayout() {}

    /** Whether a frame may begin with this byte. */
    public static boolean isFrame(byte first) {
        return first == START_V1 || first == START_V2;
    }

    /** Where in a frame that begins with this byte its sender's system stands. */
    public static int systemOffset(byte first) {
        return first == START_V1 ? SYSTEM_OFFSET_V1 : SYSTEM_OFFSET_V2;
    }

    /** Puts the time of a record at its beginning. */
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
     * The length of the record that begins there, as its head tells it; {@link #NO_RECORD} if none can begin there. At least
     * {@link #HEAD_LENGTH} bytes are there.
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

    /** Whether bytes hold records that are not there by chance: at their beginning one, anywhere several in a row. */
    public static boolean hasRecords(byte[] bytes, int length) {
        for (int start = 0; start + HEAD_LENGTH <= length; start++) {
            int records = count(bytes, start, length);
            if (records >= CHAIN || (start == 0 && records > 0 && endsWell(bytes, records, length))) {
                return true;
            }
        }
        return false;
    }

    /** Whether behind so many records from the start another one begins, or nothing is. */
    private static boolean endsWell(byte[] bytes, int records, int length) {
        int at = end(bytes, 0, records);
        return length - at < HEAD_LENGTH || recordLength(bytes, at) != NO_RECORD;
    }

    /**
     * How much of the end of a file is not complete records: one that ended with a loss of power may end within one, or with zeros.
     *
     * @param tail the last bytes of the file; it may begin within a record
     * @return how many bytes at its end to cut off; 0 if no records are found in it
     */
    public static int cutAtEnd(byte[] tail, int length) {
        for (int start = 0; start + HEAD_LENGTH <= length; start++) {
            int records = count(tail, start, length);
            if (records >= CHAIN || (start == 0 && records > 0)) {
                return length - end(tail, start, records);
            }
        }
        return 0;
    }

    /** How many complete records follow each other from there on. */
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
