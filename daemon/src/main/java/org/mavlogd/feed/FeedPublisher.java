package org.mavlogd.feed;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.mavlogd.time.ClockFit;

/**
 * The producing end of a {@link Feed}. Each method claims space, fills one record and commits it; false means that the
 * ring is full and nothing was published. Owned by the producing thread. Hot path.
 */
public final class FeedPublisher {
    private static final byte NO_REASON = 0;

    private final OneToOneRingBuffer ring;

    FeedPublisher(OneToOneRingBuffer ring) {
        this.ring = ring;
    }

    public boolean sessionBegin(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.SESSION_BEGIN, session, systemId, componentId, NO_REASON, nowNs);
    }

    public boolean sessionResume(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.SESSION_RESUME, session, systemId, componentId, NO_REASON, nowNs);
    }

    public boolean sessionEnd(int session, SessionEnd reason, long nowNs) {
        return session(Feed.SESSION_END, session, 0, 0, reason.code(), nowNs);
    }

    /** See {@link FeedHandler#onBlocksBegin}. */
    public boolean blocksBegin(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.BLOCKS_BEGIN, session, systemId, componentId, NO_REASON, nowNs);
    }

    /** See {@link FeedHandler#onBlocksResume}. */
    public boolean blocksResume(int session, int systemId, int componentId, long nowNs) {
        return session(Feed.BLOCKS_RESUME, session, systemId, componentId, NO_REASON, nowNs);
    }

    /** Publishes one block. */
    public boolean block(int session, BlockSource block, long arrivalNs) {
        int index = ring.tryClaim(Feed.BLOCK, BlockLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + BlockLayout.SESSION, session);
        buffer.putLong(index + BlockLayout.NUMBER, block.number());
        buffer.putLong(index + BlockLayout.ARRIVAL_NS, arrivalNs);
        block.copyData(buffer, index + BlockLayout.DATA);
        ring.commit(index);
        return true;
    }

    private boolean session(int type, int session, int systemId, int componentId, byte reason, long nowNs) {
        int index = ring.tryClaim(type, SessionLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + SessionLayout.SESSION, session);
        buffer.putByte(index + SessionLayout.SYSTEM_ID, (byte) systemId);
        buffer.putByte(index + SessionLayout.COMPONENT_ID, (byte) componentId);
        buffer.putByte(index + SessionLayout.REASON, reason);
        buffer.putLong(index + SessionLayout.NOW_NS, nowNs);
        ring.commit(index);
        return true;
    }

    /**
     * Publishes what happened to a vehicle.
     *
     * @param value see {@link VehicleEvent}
     */
    public boolean vehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {
        int index = ring.tryClaim(Feed.VEHICLE_EVENT, EventLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + EventLayout.SYSTEM_ID, systemId);
        buffer.putInt(index + EventLayout.COMPONENT_ID, componentId);
        buffer.putInt(index + EventLayout.EVENT, event.code());
        buffer.putLong(index + EventLayout.VALUE, value);
        buffer.putLong(index + EventLayout.NOW_NS, nowNs);
        ring.commit(index);
        return true;
    }

    /** Publishes how a vehicle's clock stands; see {@link FeedHandler#onClockFit}. */
    public boolean clockFit(int systemId, int componentId, ClockFit fit, long nowNs) {
        int index = ring.tryClaim(Feed.CLOCK_FIT, ClockLayout.LENGTH);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + ClockLayout.SYSTEM_ID, systemId);
        buffer.putInt(index + ClockLayout.COMPONENT_ID, componentId);
        buffer.putLong(index + ClockLayout.AT_NS, fit.atNs());
        buffer.putLong(index + ClockLayout.VEHICLE_US, fit.vehicleUs());
        buffer.putDouble(index + ClockLayout.RATE, fit.rate());
        buffer.putLong(index + ClockLayout.NOW_NS, nowNs);
        buffer.putByte(index + ClockLayout.STEP, (byte) (fit.step() ? 1 : 0));
        ring.commit(index);
        return true;
    }

    /**
     * Publishes one chunk.
     *
     * @param frames see {@link ChunkView#frames}
     * @param ringDropped see {@link ChunkView#ringDropped}
     */
    public boolean chunk(int session, ChunkSource chunk, long frames, int ringDropped, long arrivalNs) {
        int length = chunk.length();
        int index = ring.tryClaim(Feed.CHUNK, ChunkLayout.DATA + length);
        if (index < 0) {
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putInt(index + ChunkLayout.SESSION, session);
        buffer.putLong(index + ChunkLayout.ARRIVAL_NS, arrivalNs);
        buffer.putInt(index + ChunkLayout.RING_DROPPED, ringDropped);
        buffer.putLong(index + ChunkLayout.FRAMES, frames);
        buffer.putShort(index + ChunkLayout.SEQUENCE, (short) chunk.sequence());
        buffer.putByte(index + ChunkLayout.LENGTH, (byte) length);
        buffer.putByte(index + ChunkLayout.FIRST_MESSAGE_OFFSET, (byte) chunk.firstMessageOffset());
        chunk.copyData(buffer, index + ChunkLayout.DATA);
        ring.commit(index);
        return true;
    }
}
