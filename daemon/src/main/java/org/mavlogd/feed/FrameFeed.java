package org.mavlogd.feed;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.mavlogd.contain.ContainedPart;
import org.mavlogd.contain.Recovery;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Metrics;

/**
 * Carries the frames that one link receives to the recorder, which writes them to telemetry logs. Made only if these
 * are enabled.
 *
 * <p>Lock-free, and without allocation after construction. One thread puts frames in, one takes them out. If the ring
 * is full, the newest frames are lost and counted.
 */
public final class FrameFeed {
    /** Takes the frames of a link in the order of arrival. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Takes one frame.
         *
         * @param arrivalNs monotonic time of its arrival; estimated if it waited in the kernel
         * @param sinceNs the earliest time at which it can have arrived
         * @param buffer holds the frame; valid during the call only
         */
        void onFrame(long arrivalNs, long sinceNs, DirectBuffer buffer, int offset, int length);
    }

    // Two seconds of telemetry of a fast link.
    private static final int RING_BYTES = 256 << 10;
    private static final int FRAME = 1;
    private static final int SINCE_OFFSET = Long.BYTES;
    private static final int FRAME_OFFSET = SINCE_OFFSET + Long.BYTES;
    private static final int NONE = -1;

    private final String link;
    private final boolean isShared;
    private final Counter lost;
    private final ContainedPart errors;
    // Owned by the link's thread.
    private int claimed = NONE;
    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
            RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));

    /** @param isShared whether the link forwards, so that its frames may be addressed to vehicles of other links */
    public FrameFeed(String link, boolean isShared, Metrics metrics) {
        this.link = link;
        this.isShared = isShared;
        this.lost = metrics.counter(
                "tlog.lost.frames", "Frames that are missing in telemetry logs", "link", link, "cause", "ring_full");
        this.errors = metrics.part("tlog." + link, Recovery.CONTINUES);
    }

    /** The name of the link. */
    public String link() {
        return link;
    }

    /** Whether its frames may be addressed to vehicles of other links. */
    public boolean isShared() {
        return isShared;
    }

    /** How many frames did not fit into the ring so far. Any thread. */
    public long lost() {
        return lost.get();
    }

    /** The part that contains errors of the link's thread. */
    public ContainedPart errors() {
        return errors;
    }

    /**
     * Claims room for a frame of that length; returns its index in {@link #buffer}, negative if there is no room.
     * Link's thread. Hot path.
     */
    public int claim(int length, long arrivalNs, long sinceNs) {
        claimed = ring.tryClaim(FRAME, FRAME_OFFSET + length);
        if (claimed < 0) {
            lost.increment();
            return claimed;
        }
        ring.buffer().putLong(claimed, arrivalNs);
        ring.buffer().putLong(claimed + SINCE_OFFSET, sinceNs);
        return claimed + FRAME_OFFSET;
    }

    /** The buffer with the claimed room. Link's thread. */
    public MutableDirectBuffer buffer() {
        return ring.buffer();
    }

    /** Publishes the frame in the claimed room. Link's thread. */
    public void commit() {
        ring.commit(claimed);
        claimed = NONE;
    }

    /**
     * Drops the claimed frame, if there is one, and counts it as lost. Later frames are not affected. Link's thread.
     */
    public void abort() {
        if (claimed >= 0) {
            ring.abort(claimed);
            claimed = NONE;
            lost.increment();
        }
    }

    /** The recorder's end, which passes each frame to {@code handler}. */
    public Consumer consumer(Handler handler) {
        return new Consumer(ring, handler);
    }

    /** Takes frames out. Owned by one thread. */
    public static final class Consumer {
        private final OneToOneRingBuffer ring;
        private final Handler handler;
        private final ControlledMessageHandler onRecord = this::onRecord;
        private long untilNs;

        private Consumer(OneToOneRingBuffer ring, Handler handler) {
            this.ring = ring;
            this.handler = handler;
        }

        /**
         * Passes on at most {@code limit} frames that arrived up to this time; returns how many there were. Hot path.
         */
        public int drain(int limit, long lastArrivalNs) {
            untilNs = lastArrivalNs;
            return ring.size() > 0 ? ring.controlledRead(onRecord, limit) : 0;
        }

        private ControlledMessageHandler.Action onRecord(int type, MutableDirectBuffer buffer, int at, int length) {
            long arrivalNs = buffer.getLong(at);
            if (arrivalNs - untilNs > 0) {
                return ControlledMessageHandler.Action.ABORT; // it stays in the ring
            }
            handler.onFrame(
                    arrivalNs, buffer.getLong(at + SINCE_OFFSET), buffer, at + FRAME_OFFSET, length - FRAME_OFFSET);
            return ControlledMessageHandler.Action.CONTINUE;
        }
    }
}
