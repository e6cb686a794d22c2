package org.mavlogd.time;

import java.util.SplittableRandom;

/** One direction of a serial link: one frame after another, with log stream and telemetry before and between them. */
final class SerialLine implements AlignmentBench.Delay {
    private static final int BITS_PER_BYTE = 10;
    private static final int TIMESYNC_BYTES = 30;
    private static final int CHUNK_BYTES = 267;
    private static final int TELEMETRY_BYTES = 40;
    private static final long WINDOW_NS = 100_000_000;

    private final SplittableRandom random;
    private final double nsPerByte;
    private final double chunksPerWindow;
    private final double telemetryPerWindow;
    private long windowNs = Long.MIN_VALUE;
    private double chunkDebt;
    private double freeAtNs;

    /** @param load of the line by all other frames, 0 to 1; a quarter of it is telemetry */
    SerialLine(int baud, double load, long seed) {
        random = new SplittableRandom(seed);
        nsPerByte = 1e9 * BITS_PER_BYTE / baud;
        double bytesPerWindow = WINDOW_NS / nsPerByte * load;
        chunksPerWindow = bytesPerWindow * 0.75 / CHUNK_BYTES;
        telemetryPerWindow = bytesPerWindow * 0.25 / TELEMETRY_BYTES;
    }

    @Override
    public long ns(long leavesNs) {
        if (windowNs == Long.MIN_VALUE) {
            windowNs = leavesNs;
        }
        // Like PX4: the log data that fits into a tenth of a second is sent at once.
        while (windowNs <= leavesNs) {
            chunkDebt += chunksPerWindow;
            for (; chunkDebt >= 1; chunkDebt--) {
                put(windowNs, CHUNK_BYTES);
            }
            long telemetry = Math.round(telemetryPerWindow * 2 * random.nextDouble());
            for (int i = 0; i < telemetry; i++) {
                put(windowNs, TELEMETRY_BYTES);
            }
            windowNs += WINDOW_NS;
        }
        put(leavesNs, TIMESYNC_BYTES);
        return (long) (freeAtNs - leavesNs);
    }

    private void put(long atNs, int length) {
        freeAtNs = Math.max(freeAtNs, (double) atNs) + length * nsPerByte;
    }
}
