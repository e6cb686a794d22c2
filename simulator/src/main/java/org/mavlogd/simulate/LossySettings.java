package org.mavlogd.simulate;

/**
 * Settings of a channel that loses, repeats, reorders and delays frames. Shares are per cent of the frames, 0 to 100.
 *
 * @param medium what corruption looks like
 * @param lossPercent frames that vanish
 * @param burstFrames how many vanish at a time, on average; 1 for each by itself
 * @param duplicatePercent frames that arrive twice
 * @param reorderPercent frames that later ones overtake
 * @param reorderFrames by how many at most
 * @param reorderNs how long a frame waits at most to be overtaken
 * @param corruptPercent frames with damaged bytes
 * @param delayNs of every frame
 * @param seed same seed and calls, same fate of every frame
 */
public record LossySettings(
        Medium medium,
        double lossPercent,
        double burstFrames,
        double duplicatePercent,
        double reorderPercent,
        int reorderFrames,
        long reorderNs,
        double corruptPercent,
        long delayNs,
        long seed) {
    private static final int DEFAULT_REORDER_FRAMES = 3;
    private static final int MAX_REORDER_FRAMES = 1000;
    private static final long DEFAULT_REORDER_NS = 10_000_000;

    /** What carries the frames. */
    public enum Medium {
        /** Damage flips one to three bits, as many as MAVLink's checksum is sure to find. */
        DATAGRAMS,
        /** Damage flips bits or takes bytes out of the middle, so that the receiver must find the next frame. */
        STREAM
    }

    public LossySettings {
        checkPercent("loss", lossPercent);
        checkPercent("duplicates", duplicatePercent);
        checkPercent("reordering", reorderPercent);
        checkPercent("corruption", corruptPercent);
        check("frames per burst", burstFrames, burstFrames >= 1 && burstFrames <= 1e6);
        check("frames of reordering", reorderFrames, reorderFrames >= 1 && reorderFrames <= MAX_REORDER_FRAMES);
        check("nanoseconds of reordering", (double) reorderNs, reorderNs >= 0);
        check("nanoseconds of delay", (double) delayNs, delayNs >= 0);
    }

    /** A channel that passes everything at once. */
    public static LossySettings perfect(Medium medium, long seed) {
        return new LossySettings(medium, 0, 1, 0, 0, DEFAULT_REORDER_FRAMES, DEFAULT_REORDER_NS, 0, 0, seed);
    }

    public LossySettings withLoss(double percent, double newBurstFrames) {
        return new LossySettings(
                medium,
                percent,
                newBurstFrames,
                duplicatePercent,
                reorderPercent,
                reorderFrames,
                reorderNs,
                corruptPercent,
                delayNs,
                seed);
    }

    public LossySettings withDuplicates(double percent) {
        return new LossySettings(
                medium,
                lossPercent,
                burstFrames,
                percent,
                reorderPercent,
                reorderFrames,
                reorderNs,
                corruptPercent,
                delayNs,
                seed);
    }

    public LossySettings withReordering(double percent, int frames, long maxNs) {
        return new LossySettings(
                medium,
                lossPercent,
                burstFrames,
                duplicatePercent,
                percent,
                frames,
                maxNs,
                corruptPercent,
                delayNs,
                seed);
    }

    public LossySettings withReordering(double percent) {
        return withReordering(percent, reorderFrames, reorderNs);
    }

    public LossySettings withCorruption(double percent) {
        return new LossySettings(
                medium,
                lossPercent,
                burstFrames,
                duplicatePercent,
                reorderPercent,
                reorderFrames,
                reorderNs,
                percent,
                delayNs,
                seed);
    }

    public LossySettings withDelayNs(long newDelayNs) {
        return new LossySettings(
                medium,
                lossPercent,
                burstFrames,
                duplicatePercent,
                reorderPercent,
                reorderFrames,
                reorderNs,
                corruptPercent,
                newDelayNs,
                seed);
    }

    private static void checkPercent(String what, double percent) {
        check("per cent of " + what, percent, percent >= 0 && percent <= 100);
    }

    private static void check(String what, double value, boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException(what + " cannot be " + value);
        }
    }
}
