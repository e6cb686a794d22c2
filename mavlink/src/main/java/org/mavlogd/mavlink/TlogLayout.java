package org.mavlogd.mavlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Where things are in a telemetry log ({@code .tlog}), as QGroundControl, MAVProxy and Mission Planner write it: records without
 * anything between, before or behind them.
 *
 * <pre>
 * time(8, big endian: microseconds since 1970, UTC)  frame
 * </pre>
 */
public final class TlogLayout {
    /** Of the time before each frame. */
    public static final int TIME_LENGTH = Long.BYTES;

    /** Of a record. */
    public static final int MAX_RECORD_LENGTH = TIME_LENGTH + FrameLayout.MAX_LENGTH;

    /** So many bytes of a record tell its length. */
    public static final int HEAD_LENGTH = TIME_LENGTH + FrameLayout.INCOMPAT_FLAGS_OFFSET_V2 + 1;

    /** No record begins there. */
    public static final int NO_RECORD = -1;

    /** The year 2100. A clock that was never set may say 1970. */
    private static final long LATEST_US = 4_102_444_800_000_000L;
    // Of a chain that is not there by chance: each record has a believable time, and begins where the one before ends.
    private static final int CHAIN = 8;

    private TlogLayout() {}

    /** Puts the time before a frame; {@code offset} is where the record begins. */
    public static void time(MutableDirectBuffer target, int offset, long utcUs) {
        target.putLong(offset, utcUs, ByteOrder.BIG_ENDIAN);
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
        if (utcUs < 0 || utcUs >= LATEST_US || !FrameLayout.isStart(buffer[frame])) {
            return NO_RECORD;
        }
        return TIME_LENGTH + FrameLayout.length(buffer, frame);
    }

    /**
     * How much of the end of a file is whole records: a file that ended with a loss of power may end within one, or with zeros.
     *
     * @param tail the last bytes of the file; it may begin within a record
     * @return how many bytes at its end to cut off; 0 if no records are found in it
     */
    public static int cutAtEnd(byte[] tail, int length) {
        for (int start = 0; start + HEAD_LENGTH <= length; start++) {
            int records = 0;
            int at = start;
            while (at + HEAD_LENGTH <= length) {
                int next = recordLength(tail, at);
                if (next == NO_RECORD || at + next > length) {
                    break;
                }
                at += next;
                records++;
            }
            if (records >= CHAIN || (start == 0 && records > 0)) {
                return length - at;
            }
        }
        return 0;
    }
}
