package org.mavlogd.feed;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.mavlogd.time.ClockFit;

/**
 * The producing end of a {@link Feed}. Each method claims space, fills one record and commits it; false means that the
 * ring is full and nothing was published. Owned by the producing thread. Hot path.
 */
public final class FeedPublisher {
    /** The log chunk to publish, in a buffer of the caller. Hot path. */
    public interface ChunkSource {
        /** LOGGING_DATA.sequence: unsigned 16 bit. */
        int sequence();

        /** Offset of the first message that starts in the data, or {@link ChunkView#NO_MESSAGE_START}. */
        int firstMessageOffset();

        /** Valid bytes of data: 0 to {@link ChunkView#MAX_DATA_LENGTH}. */
        int length();

        /** Copies the {@link #length} valid bytes. */
        void copyData(MutableDirectBuffer target, int targetIndex);
    }

    /** The log block to publish, in a buffer of the caller. Hot path. */
    public interface BlockSource {
        /** REMOTE_LOG_DATA_BLOCK.seqno: unsigned 32 bit. */
        long number();

        /** Copies the {@link BlockView#DATA_LENGTH} bytes. */
        void copyData(MutableDirectBuffer target, int targetIndex);
    }

    private final Ring ring;
    private boolean isWaited;
    private long waitedSinceNs;

    FeedPublisher(Ring ring) {
        this.ring = ring;
    }

    /** Whether the consumer has more to take than it can in a round, from this feed or from others. */
    public boolean isConsumerLagging() {
        return ring.isReaderLagging();
    }

    /** See {@link Feed.Handler#onSessionBegin}. Each start of a log wakes the consumer. */
    public boolean sessionBegin(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.SESSION_BEGIN, session, systemId, componentId, nowNs);
    }

    public boolean sessionResume(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.SESSION_RESUME, session, systemId, componentId, nowNs);
    }

    /** See {@link Feed.Handler#onSessionEnd}. */
    public boolean sessionEnd(int session, SessionEnd reason, int ringDropped, long nowNs) {
        int index = ring.tryClaim(Feed.SESSION_END, Feed.EndLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + Feed.EndLayout.SESSION, session);
        buffer.putInt(index + Feed.EndLayout.RING_DROPPED, ringDropped);
        buffer.putLong(index + Feed.EndLayout.NOW_NS, nowNs);
        buffer.putByte(index + Feed.EndLayout.REASON, reason.code());
        ring.commit(index);
        return true;
    }

    /** See {@link Feed.Handler#onBlocksBegin}. */
    public boolean blocksBegin(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.BLOCKS_BEGIN, session, systemId, componentId, nowNs);
    }

    /** See {@link Feed.Handler#onBlocksResume}. */
    public boolean blocksResume(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.BLOCKS_RESUME, session, systemId, componentId, nowNs);
    }

    /** Publishes one block. */
    public boolean block(int session, BlockSource block, long arrivalNs) {
        int index = ring.tryClaim(Feed.BLOCK, BlockView.Layout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + BlockView.Layout.SESSION, session);
        buffer.putLong(index + BlockView.Layout.NUMBER, block.number());
        buffer.putLong(index + BlockView.Layout.ARRIVAL_NS, arrivalNs);
        block.copyData(buffer, index + BlockView.Layout.DATA);
        ring.commit(index);
        return true;
    }

    private boolean session(int type, int session, int systemId, int componentId, long nowNs) {
        int index = ring.tryClaim(type, Feed.SessionLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + Feed.SessionLayout.SESSION, session);
        buffer.putByte(index + Feed.SessionLayout.SYSTEM_ID, (byte) systemId);
        buffer.putByte(index + Feed.SessionLayout.COMPONENT_ID, (byte) componentId);
        buffer.putLong(index + Feed.SessionLayout.NOW_NS, nowNs);
        ring.commit(index);
        ring.wakeReader(); // without a log it looks rarely
        return true;
    }

    /**
     * Publishes an event of a vehicle. An urgent one wakes the consumer.
     *
     * @param value see {@link VehicleEvent}
     */
    public boolean vehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {
        int index = ring.tryClaim(Feed.VEHICLE_EVENT, Feed.EventLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + Feed.EventLayout.SYSTEM_ID, systemId);
        buffer.putInt(index + Feed.EventLayout.COMPONENT_ID, componentId);
        buffer.putInt(index + Feed.EventLayout.EVENT, event.code());
        buffer.putLong(index + Feed.EventLayout.VALUE, value);
        buffer.putLong(index + Feed.EventLayout.NOW_NS, nowNs);
        ring.commit(index);
        if (event.isUrgent()) {
            ring.wakeReader();
        }
        return true;
    }

    /** Publishes a fit of a vehicle's clock; see {@link Feed.Handler#onClockFit}. */
    public boolean clockFit(int systemId, int componentId, ClockFit fit, long nowNs) {
        int index = ring.tryClaim(Feed.CLOCK_FIT, Feed.ClockLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + Feed.ClockLayout.SYSTEM_ID, systemId);
        buffer.putInt(index + Feed.ClockLayout.COMPONENT_ID, componentId);
        buffer.putLong(index + Feed.ClockLayout.AT_NS, fit.atNs());
        buffer.putLong(index + Feed.ClockLayout.VEHICLE_US, fit.vehicleUs());
        buffer.putDouble(index + Feed.ClockLayout.RATE, fit.rate());
        buffer.putLong(index + Feed.ClockLayout.NOW_NS, nowNs);
        buffer.putByte(index + Feed.ClockLayout.STEP, (byte) (fit.step() ? 1 : 0));
        ring.commit(index);
        return true;
    }

    /** Until {@link #waitedEnd}, data waited in the kernel: its arrival is estimated, but is not before that time. */
    public void waited(long sinceNs) {
        isWaited = true;
        waitedSinceNs = sinceNs;
    }

    /** See {@link #waited}. */
    public void waitedEnd() {
        isWaited = false;
    }

    /** The earliest time at which data that is taken now can have arrived. */
    public long sinceNs(long arrivalNs) {
        return isWaited && waitedSinceNs - arrivalNs < 0 ? waitedSinceNs : arrivalNs;
    }

    /**
     * Publishes one chunk.
     *
     * @param frames see {@link ChunkView#frames}
     * @param ringDropped see {@link ChunkView#ringDropped}
     */
    public boolean chunk(int session, ChunkSource chunk, long frames, int ringDropped, long arrivalNs) {
        int length = chunk.length();
        int index = ring.tryClaim(Feed.CHUNK, ChunkView.Layout.DATA + length);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + ChunkView.Layout.SESSION, session);
        buffer.putLong(index + ChunkView.Layout.ARRIVAL_NS, arrivalNs);
        buffer.putInt(index + ChunkView.Layout.RING_DROPPED, ringDropped);
        buffer.putLong(index + ChunkView.Layout.FRAMES, frames);
        buffer.putLong(index + ChunkView.Layout.SINCE_NS, sinceNs(arrivalNs));
        buffer.putShort(index + ChunkView.Layout.SEQUENCE, (short) chunk.sequence());
        buffer.putByte(index + ChunkView.Layout.LENGTH, (byte) length);
        buffer.putByte(index + ChunkView.Layout.FIRST_MESSAGE_OFFSET, (byte) chunk.firstMessageOffset());
        chunk.copyData(buffer, index + ChunkView.Layout.DATA);
        ring.commit(index);
        return true;
    }
}
