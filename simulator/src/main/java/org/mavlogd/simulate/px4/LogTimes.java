package org.mavlogd.simulate.px4;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * When each message of a data section was logged, from the timestamps inside.
 *
 * <p>PX4 puts a sample's timestamp first, right behind the message id. It is the time of the sample, often earlier than
 * that of its neighbours, so the log's clock is the highest timestamp so far. Messages without a time are logged with
 * the one before.
 *
 * @param dueUs per message: microseconds since the first one
 * @param zeroUs what the vehicle's clock showed when the first message was logged, as the later ones have it
 * @param lapUs more than the span of all timestamps
 */
@SuppressWarnings("ArrayRecordComponent") // shared inside the package only, never changed, never compared
public record LogTimes(long[] dueUs, long zeroUs, long lapUs) {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** A jump by more is a damaged timestamp. */
    private static final long MAX_STEP_US = 24L * 3600 * 1_000_000;
    /** A longer pause says nothing about a stream, such as the one after a sample from before the log's start. */
    private static final long MAX_PAUSE_US = 10_000_000;

    private static final long BETWEEN_LAPS_US = 4000;

    static LogTimes of(byte[] log, int[] starts, int from, int to) {
        long[] dueUs = new long[to - from];
        boolean started = false;
        long clockUs = 0;
        long lowestUs = 0;
        long due = 0;
        for (int message = from; message < to; message++) {
            int offset = timeOffset(log, starts[message], starts[message + 1]);
            long timeUs = offset == 0 ? -1 : get(log, starts[message] + offset);
            if (timeUs >= 0 && !started) {
                started = true;
                clockUs = timeUs;
                lowestUs = timeUs;
            } else if (timeUs >= 0 && timeUs - clockUs <= MAX_STEP_US) {
                due += Math.min(Math.max(0, timeUs - clockUs), MAX_PAUSE_US);
                clockUs = Math.max(clockUs, timeUs);
                lowestUs = Math.min(lowestUs, timeUs);
            }
            dueUs[message - from] = due;
        }
        // Pauses that were cut short are mostly at the begin: what counts is where the clock stands behind them.
        return new LogTimes(dueUs, clockUs - due, Math.max(clockUs - lowestUs, due) + BETWEEN_LAPS_US);
    }

    /** Where the timestamp stands in a message, counted from its start; 0 when it has none. */
    static int timeOffset(byte[] log, int start, int end) {
        int offset = switch (log[start + 2]) {
            case 'D' -> 5;
            case 'L' -> 4;
            case 'C' -> 6;
            default -> 0;
        };
        return start + offset + Long.BYTES <= end ? offset : 0;
    }

    public static long get(byte[] log, int index) {
        return (long) LONG.get(log, index);
    }

    public static void put(byte[] log, int index, long timeUs) {
        LONG.set(log, index, timeUs);
    }
}
