package org.mavlogd.feed;

import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.mavlogd.time.ClockFit;

/**
 * A ring from one producing thread to the recorder.
 *
 * <p>Lock-free and without allocation after construction. Full is a normal event: the producer is told and decides. Hot
 * path.
 */
public final class Feed {
    static final int SESSION_BEGIN = 1;
    static final int CHUNK = 2;
    static final int SESSION_END = 3;
    static final int SESSION_RESUME = 4;
    static final int BLOCKS_BEGIN = 5;
    static final int BLOCKS_RESUME = 6;
    static final int BLOCK = 7;
    static final int VEHICLE_EVENT = 10;
    static final int CLOCK_FIT = 11;

    private final String name;
    private final OneToOneRingBuffer ring;

    /**
     * A ring of its own memory, outside the heap.
     *
     * @param ringBytes a power of two
     */
    public Feed(String name, int ringBytes) {
        this.name = name;
        this.ring = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(ringBytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** The name of the producer, as in the configuration. */
    public String name() {
        return name;
    }

    /** The producing end; for the producing thread only. */
    public FeedPublisher publisher() {
        return new FeedPublisher(ring);
    }

    /** The consuming end, which hands each record to {@code handler}; for the consuming thread only. */
    public Consumer consumer(FeedHandler handler) {
        return new Consumer(ring, handler);
    }

    /** Share of the ring in use, 0 to 1. Any thread. */
    public double fill() {
        return (double) ring.size() / ring.capacity();
    }

    /** Takes records out. Owned by one thread. */
    public static final class Consumer {
        private final OneToOneRingBuffer ring;
        private final FeedHandler handler;
        private final ChunkView chunk = new ChunkView();
        private final BlockView block = new BlockView();
        private final MessageHandler dispatch = this::dispatch;

        private Consumer(OneToOneRingBuffer ring, FeedHandler handler) {
            this.ring = ring;
            this.handler = handler;
        }

        /** Hands out at most {@code limit} records; returns how many there were. */
        public int drain(int limit) {
            int count = ring.read(dispatch, limit);
            // At the end of the ring's memory a read may meet nothing but padding, with records behind it.
            return count > 0 || ring.size() == 0 ? count : ring.read(dispatch, limit);
        }

        private void dispatch(int type, MutableDirectBuffer buffer, int index, int length) {
            int session = buffer.getInt(index);
            switch (type) {
                case CHUNK -> handler.onChunk(session, chunk.wrap(buffer, index));
                case BLOCK -> handler.onBlock(session, block.wrap(buffer, index));
                case BLOCKS_BEGIN, BLOCKS_RESUME -> dispatchBlocks(type, session, buffer, index);
                case SESSION_BEGIN ->
                    handler.onSessionBegin(
                            session,
                            buffer.getByte(index + SessionLayout.SYSTEM_ID) & 0xFF,
                            buffer.getByte(index + SessionLayout.COMPONENT_ID) & 0xFF,
                            buffer.getLong(index + SessionLayout.NOW_NS));
                case SESSION_RESUME ->
                    handler.onSessionResume(
                            session,
                            buffer.getByte(index + SessionLayout.SYSTEM_ID) & 0xFF,
                            buffer.getByte(index + SessionLayout.COMPONENT_ID) & 0xFF,
                            buffer.getLong(index + SessionLayout.NOW_NS));
                case SESSION_END ->
                    handler.onSessionEnd(
                            session,
                            SessionEnd.of(buffer.getByte(index + SessionLayout.REASON)),
                            buffer.getLong(index + SessionLayout.NOW_NS));
                case VEHICLE_EVENT ->
                    handler.onVehicleEvent(
                            buffer.getInt(index + EventLayout.SYSTEM_ID),
                            buffer.getInt(index + EventLayout.COMPONENT_ID),
                            VehicleEvent.of(buffer.getInt(index + EventLayout.EVENT)),
                            buffer.getLong(index + EventLayout.VALUE),
                            buffer.getLong(index + EventLayout.NOW_NS));
                case CLOCK_FIT ->
                    handler.onClockFit(
                            buffer.getInt(index + ClockLayout.SYSTEM_ID),
                            buffer.getInt(index + ClockLayout.COMPONENT_ID),
                            new ClockFit(
                                    buffer.getLong(index + ClockLayout.AT_NS),
                                    buffer.getLong(index + ClockLayout.VEHICLE_US),
                                    buffer.getDouble(index + ClockLayout.RATE),
                                    buffer.getByte(index + ClockLayout.STEP) != 0),
                            buffer.getLong(index + ClockLayout.NOW_NS));
                default ->
                    throw new IllegalStateException("record type " + type + " of " + length + " bytes in the ring");
            }
        }

        private void dispatchBlocks(int type, int session, MutableDirectBuffer buffer, int index) {
            int systemId = buffer.getByte(index + SessionLayout.SYSTEM_ID) & 0xFF;
            int componentId = buffer.getByte(index + SessionLayout.COMPONENT_ID) & 0xFF;
            long beginNs = buffer.getLong(index + SessionLayout.NOW_NS);
            if (type == BLOCKS_BEGIN) {
                handler.onBlocksBegin(session, systemId, componentId, beginNs);
            } else {
                handler.onBlocksResume(session, systemId, componentId, beginNs);
            }
        }
    }
}
