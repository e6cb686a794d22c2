package org.mavlogd.record.order;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.feed.ChunkView;
import org.mavlogd.feed.FrameTrail;

/**
 * Puts chunks into the order of their sequence numbers. A chunk that arrives before its predecessor is held until the
 * predecessor comes, until {@link #CAPACITY} chunks wait, or until {@link #MAX_WAIT_NS} have passed; then the missing
 * ones count as lost.
 *
 * <p>Numbers are unsigned 16 bit and wrap. Repeats were removed before. A chunk older than those already passed on is
 * dropped, and counted by the output. The window uses the arrival times of chunks, so that a late reader changes
 * nothing. Hot path: allocates nothing after construction.
 */
public final class ReorderWindow {
    /** The largest number of held chunks. */
    static final int CAPACITY = 16;

    /** How long a gap may hold up later chunks. */
    static final long MAX_WAIT_NS = 20_000_000;

    // The link's thread passes on no chunk that is further behind than this, so any other distance is forward: after a
    // long outage it may be more than half the range.
    private static final int LATE_RANGE = 64;
    // A late chunk comes at most this long after the others; after a longer time the number has wrapped.
    private static final long LATE_NS = 3_000_000_000L;
    private static final int SEQUENCES = 0x1_0000;
    // The 8-bit frame sequence wraps: after a longer silence, or with more chunks missing, it does not show how many
    // frames the link lost.
    private static final long MAX_TOLD_SILENCE_NS = 1_000_000_000L;
    private static final int MAX_TOLD_CHUNKS = 127;
    // How far ahead of the expected number a held chunk may be; there may be gaps between held chunks.
    private static final int SLOTS = 4 * CAPACITY;

    /** Takes chunks and gaps in order. */
    public interface Output {
        /** Takes the next chunk; the data is valid during the call only. */
        void onChunk(DirectBuffer data, int offset, int length, int firstMessageOffset);

        /** Chunks are missing before the next one. */
        void onGap(Gap gap);

        /** A chunk came after it had been counted as lost. */
        void onLateChunk(int length);
    }

    /**
     * A gap: missing chunks.
     *
     * <p>Reused; valid during the call only. The arrival difference is the time between the chunks around the gap on
     * the link.
     */
    public static final class Gap {
        private int chunks;
        private int linkMissing;
        private int ringDropped;
        private long arrivalDifferenceNs;

        /** How many chunks are missing: 1 to 65535. */
        public int chunks() {
            return chunks;
        }

        /** How many MAVLink frames of the vehicle were lost meanwhile; if not known, as many as chunks. */
        public int linkMissing() {
            return linkMissing;
        }

        /** How many chunks the full ring refused meanwhile. */
        public int ringDropped() {
            return ringDropped;
        }

        public long arrivalDifferenceNs() {
            return arrivalDifferenceNs;
        }

        /** Whether {@link #linkMissing} is reliable: the vehicle's 8-bit frame numbers wrap. */
        public boolean isLinkTold() {
            return arrivalDifferenceNs < MAX_TOLD_SILENCE_NS && chunks <= MAX_TOLD_CHUNKS;
        }
    }

    private static final class Held {
        private final UnsafeBuffer data = new UnsafeBuffer(new byte[ChunkView.MAX_DATA_LENGTH]);
        private boolean isUsed;
        private int length;
        private int firstMessageOffset;
        private int frame;
        private long arrivalNs;
        private long sinceNs;
    }

    private final Output output;
    private final Held[] slots = new Held[SLOTS];
    private final Gap gap = new Gap();

    private boolean started;
    private int expected;
    // Chunks given up since the last one that was passed on.
    private int skipped;
    private int heldCount;
    private long oldestHeldNs;
    private long oldestSinceNs;

    private final ArrivedFrames frames = new ArrivedFrames();
    // How many chunks the ring refused in total, and how many of these are explained by gaps.
    private int ringDropped;
    private int ringExplained;
    private int lastFrame;
    private long lastArrivalNs;
    private long lastSinceNs;
    private long lastOfferedNs;

    public ReorderWindow(Output output) {
        this.output = output;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Held();
        }
    }

    /** The arrival of the chunk that is being passed on, or was last. */
    public long arrivalNs() {
        return lastArrivalNs;
    }

    /** The earliest time at which that chunk can have arrived. */
    public long sinceNs() {
        return lastSinceNs;
    }

    /** When the chunk that waits for a missing one for longest arrived. */
    public long heldArrivalNs() {
        return oldestHeldNs;
    }

    /** The earliest time at which one that waits can have arrived. */
    public long heldSinceNs() {
        return oldestSinceNs;
    }

    /** Whether chunks wait for a missing one. */
    public boolean isHolding() {
        return heldCount > 0;
    }

    /** Number of the last chunk that was passed on or given up. */
    public int lastSequence() {
        return (expected - 1) & (SEQUENCES - 1);
    }

    /** Takes the next chunk that arrived. The first one determines the first expected number. */
    public void offer(ChunkView chunk) {
        if (!started) {
            begin(chunk);
        }
        // Frames that arrived until now are not missing in any gap that is given up from now on, however late they
        // came.
        frames.learn(chunk.frames());
        ringDropped = chunk.ringDropped();
        expire(chunk.arrivalNs() - MAX_WAIT_NS);
        boolean mayBeLate = chunk.arrivalNs() - lastOfferedNs < LATE_NS;
        lastOfferedNs = chunk.arrivalNs();
        int ahead = ahead(chunk.sequence(), mayBeLate);
        while (heldCount > 0 && (ahead >= SLOTS || (ahead > 0 && heldCount == CAPACITY))) {
            skipToFirstHeld(ahead);
            ahead = ahead(chunk.sequence(), mayBeLate);
        }
        if (ahead < 0) {
            output.onLateChunk(chunk.length());
        } else if (ahead == 0) {
            pass(chunk);
            handOnHeld();
        } else {
            // After a long gap, too, the first chunk that arrives need not be the first that was sent.
            skip(ahead < SLOTS ? 0 : ahead - CAPACITY);
            hold(chunk);
        }
    }

    /** Gives up gaps that have held up chunks since before {@code heldBeforeNs}. */
    public void expire(long heldBeforeNs) {
        while (heldCount > 0 && oldestHeldNs - heldBeforeNs <= 0) {
            skipToFirstHeld(SLOTS);
        }
    }

    /**
     * Passes on all held chunks, as no more will come, and reports those that the ring refused after the last one as a
     * gap at the end.
     *
     * @param ringDroppedAtEnd see {@link ChunkView#ringDropped}; 0 if not known
     * @param endNs end of the stream on the link
     */
    public void end(int ringDroppedAtEnd, long endNs) {
        while (heldCount > 0) {
            skipToFirstHeld(SLOTS);
        }
        if (started && ringDroppedAtEnd > ringExplained) {
            ringDropped = ringDroppedAtEnd;
            skip(ringDropped - ringExplained);
            arrive(lastFrame, endNs, endNs);
        }
    }

    private void begin(ChunkView first) {
        started = true;
        expected = first.sequence();
        lastFrame = FrameTrail.number(first.frames());
        ringExplained = first.ringDropped();
        lastArrivalNs = first.arrivalNs();
        lastOfferedNs = first.arrivalNs();
    }

    private int ahead(int sequence, boolean mayBeLate) {
        int forward = (sequence - expected) & 0xFFFF;
        return mayBeLate && forward >= SEQUENCES - LATE_RANGE ? forward - SEQUENCES : forward;
    }

    private void skip(int chunks) {
        expected = (expected + chunks) & (SEQUENCES - 1);
        skipped += chunks;
    }

    private void pass(ChunkView chunk) {
        arrive(FrameTrail.number(chunk.frames()), chunk.arrivalNs(), chunk.sinceNs());
        output.onChunk(chunk.data(), chunk.dataOffset(), chunk.length(), chunk.firstMessageOffset());
        expected = next(expected);
    }

    private void hold(ChunkView chunk) {
        Held slot = slots[chunk.sequence() % SLOTS];
        if (slot.isUsed) {
            return; // the same number again: the first copy is as good
        }
        slot.isUsed = true;
        slot.length = chunk.length();
        slot.firstMessageOffset = chunk.firstMessageOffset();
        slot.frame = FrameTrail.number(chunk.frames());
        slot.arrivalNs = chunk.arrivalNs();
        slot.sinceNs = chunk.sinceNs();
        slot.data.putBytes(0, chunk.data(), chunk.dataOffset(), chunk.length());
        if (heldCount == 0) {
            oldestHeldNs = chunk.arrivalNs();
        }
        if (heldCount == 0 || chunk.sinceNs() - oldestSinceNs < 0) {
            oldestSinceNs = chunk.sinceNs();
        }
        heldCount++;
    }

    /** Gives up the first gap, at most {@code limit} chunks of it. */
    private void skipToFirstHeld(int limit) {
        for (int i = 0; i < limit && !slots[expected % SLOTS].isUsed; i++) {
            skip(1);
        }
        handOnHeld();
    }

    private void handOnHeld() {
        for (Held slot = slots[expected % SLOTS]; slot.isUsed; slot = slots[expected % SLOTS]) {
            slot.isUsed = false;
            heldCount--;
            arrive(slot.frame, slot.arrivalNs, slot.sinceNs);
            output.onChunk(slot.data, 0, slot.length, slot.firstMessageOffset);
            expected = next(expected);
        }
        if (heldCount > 0) {
            findOldest();
        }
    }

    private void findOldest() {
        boolean found = false;
        for (Held slot : slots) {
            if (!slot.isUsed) {
                continue;
            }
            if (!found || slot.arrivalNs - oldestHeldNs < 0) {
                oldestHeldNs = slot.arrivalNs;
            }
            if (!found || slot.sinceNs - oldestSinceNs < 0) {
                oldestSinceNs = slot.sinceNs;
            }
            found = true;
        }
    }

    /** Reports the chunks skipped before the next one, which is about to be passed on. */
    private void arrive(int frame, long arrivalNs, long sinceNs) {
        if (skipped > 0) {
            int missing = frames.missingBetween(lastFrame, frame);
            gap.chunks = skipped;
            gap.linkMissing = missing == ArrivedFrames.UNKNOWN ? skipped : missing;
            gap.ringDropped = Math.min(skipped, ringDropped - ringExplained);
            gap.arrivalDifferenceNs = Math.max(0, arrivalNs - lastArrivalNs);
            ringExplained += gap.ringDropped;
            skipped = 0;
            output.onGap(gap);
        }
        if (heldCount == 0) {
            // No gap is open: other chunks that the ring refused were repeats.
            ringExplained = ringDropped;
        }
        lastFrame = frame;
        lastArrivalNs = arrivalNs;
        lastSinceNs = sinceNs;
    }

    private static int next(int sequence) {
        return (sequence + 1) & 0xFFFF;
    }
}
