package org.mavlogd.simulate;

/**
 * Settings of a channel that loses, repeats, reorders and delays frames. Shares are percentages of the frames, 0 to
 * 100.
 *
 * @param medium decides the kind of damage
 * @param lossPercent frames lost
 * @param burstFrames average number of frames lost together; 1 for single frames
 * @param duplicatePercent frames delivered twice
 * @param reorderPercent frames overtaken by later ones
 * @param reorderFrames maximum number of frames that overtake
 * @param reorderNs maximum time that a frame waits to be overtaken
 * @param corruptPercent frames with damaged bytes
 * @param delayNs delay of every frame
 * @param seed the same seed and calls give the same result
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

    /** The transport of the frames. */
    public enum Medium {
        /** Damage flips one to three bits, which MAVLink's checksum always detects. */
        DATAGRAMS,
        /** Damage flips bits or removes bytes, so that the receiver must find the next frame. */
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

    /** A channel that delivers every frame at once. */
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
