package org.mavlogd.feed;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.mavlogd.time.ClockFit;

/**
 * A ring that carries records of one producing thread to the recorder.
 *
 * <p>Lock-free and without allocation after construction. A full ring is a normal event: the producer gets
 * {@code false} and decides what to do. Hot path.
 */
public final class Feed {
    /** Takes the records of one feed in the order in which they were published. Hot path. */
    public interface Handler {
        /**
         * A vehicle began a log.
         *
         * @param session number of the session, unique and rising within this feed
         */
        void onSessionBegin(int session, int systemId, int componentId, long nowNs);

        /**
         * A log of an earlier run continues: the vehicle's {@link ResumeTicket} was taken. Otherwise like
         * {@link #onSessionBegin}.
         */
        void onSessionResume(int session, int systemId, int componentId, long nowNs);

        /** A chunk of a session that began and has not ended. The view is valid during the call only. */
        void onChunk(int session, ChunkView chunk);

        /** An ArduPilot began a log of blocks, with block 0; otherwise like {@link #onSessionBegin}. */
        default void onBlocksBegin(int session, int systemId, int componentId, long nowNs) {}

        /** A log of blocks of an earlier run continues; otherwise like {@link #onSessionResume}. */
        default void onBlocksResume(int session, int systemId, int componentId, long nowNs) {}

        /** A block of a session of blocks that began and has not ended. The view is valid during the call only. */
        default void onBlock(int session, BlockView block) {}

        /**
         * A session, of chunks or of blocks, is over.
         *
         * @param ringDropped see {@link ChunkView#ringDropped}; 0 for blocks, which the vehicle repeats
         */
        void onSessionEnd(int session, SessionEnd reason, int ringDropped, long nowNs);

        /**
         * Something happened to a vehicle, with or without a session.
         *
         * @param value the event's value, else 0
         */
        default void onVehicleEvent(int systemId, int componentId, VehicleEvent event, long value, long nowNs) {}

        /**
         * The current fit of a vehicle's clock, with or without a session: at least once a second while it is known,
         * and at most some times a second.
         */
        default void onClockFit(int systemId, int componentId, ClockFit fit, long nowNs) {}
    }

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
    private final Ring ring;

    /**
     * With a ring outside the heap.
     *
     * @param ringBytes a power of two
     */
    public Feed(String name, int ringBytes) {
        this.name = name;
        this.ring = new Ring(ringBytes);
    }

    /** The name of the producer, as in the configuration. */
    public String name() {
        return name;
    }

    /** The producing end, for the producing thread only. */
    public FeedPublisher publisher() {
        return new FeedPublisher(ring);
    }

    /** The consuming end, which passes each record to {@code handler}; for the consuming thread only. */
    public Consumer consumer(Handler handler) {
        return new Consumer(ring, handler);
    }

    /** Share of the ring in use, 0 to 1. Any thread. */
    public double fill() {
        return ring.fill();
    }

    /** Takes records out. Owned by one thread. */
    public static final class Consumer {
        private final Ring ring;
        private final Handler handler;
        private final ChunkView chunk = new ChunkView();
        private final BlockView block = new BlockView();
        private final MessageHandler dispatch = this::dispatch;

        private Consumer(Ring ring, Handler handler) {
            this.ring = ring;
            this.handler = handler;
        }

        /** This thread will call {@link #drain}; urgent records wake it if it is parked. */
        public void drainHere() {
            ring.readHere();
        }

        /** Tells the producer whether this thread has more to take than it can in a round, from any feed. */
        public void tellLag(boolean isLagging) {
            ring.tellLag(isLagging);
        }

        /** Passes on at most {@code limit} records; returns how many there were. */
        public int drain(int limit) {
            return ring.read(dispatch, limit);
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
                            SessionEnd.of(buffer.getByte(index + EndLayout.REASON)),
                            buffer.getInt(index + EndLayout.RING_DROPPED),
                            buffer.getLong(index + EndLayout.NOW_NS));
                case VEHICLE_EVENT ->
                    handler.onVehicleEvent(
                            buffer.getInt(index + EventLayout.SYSTEM_ID),
                            buffer.getInt(index + EventLayout.COMPONENT_ID),
                            VehicleEvent.of(buffer.getInt(index + EventLayout.EVENT)),
                            buffer.getLong(index + EventLayout.VALUE),
                            buffer.getLong(index + EventLayout.NOW_NS));
                case CLOCK_FIT -> dispatchClockFit(buffer, index);
                default ->
                    throw new IllegalStateException("record type " + type + " of " + length + " bytes in the ring");
            }
        }

        private void dispatchClockFit(MutableDirectBuffer buffer, int index) {
            ClockFit fit = new ClockFit(
                    buffer.getLong(index + ClockLayout.AT_NS),
                    buffer.getLong(index + ClockLayout.VEHICLE_US),
                    buffer.getDouble(index + ClockLayout.RATE),
                    buffer.getByte(index + ClockLayout.STEP) != 0);
            handler.onClockFit(
                    buffer.getInt(index + ClockLayout.SYSTEM_ID),
                    buffer.getInt(index + ClockLayout.COMPONENT_ID),
                    fit,
                    buffer.getLong(index + ClockLayout.NOW_NS));
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

    /**
     * The layout of a record that begins or continues a session:
     * {@code session i32 | system u8 | component u8 | - | now ns i64}.
     */
    static final class SessionLayout {
        static final int SESSION = 0;
        static final int SYSTEM_ID = SESSION + Integer.BYTES;
        static final int COMPONENT_ID = SYSTEM_ID + Byte.BYTES;
        static final int NOW_NS = Long.BYTES;
        static final int LENGTH = NOW_NS + Long.BYTES;

        private SessionLayout() {}
    }

    /** The layout of a record that ends a session: {@code session i32 | ring dropped i32 | now ns i64 | reason u8}. */
    static final class EndLayout {
        static final int SESSION = 0;
        static final int RING_DROPPED = SESSION + Integer.BYTES;
        static final int NOW_NS = RING_DROPPED + Integer.BYTES;
        static final int REASON = NOW_NS + Long.BYTES;
        static final int LENGTH = REASON + Byte.BYTES;

        private EndLayout() {}
    }

    /** The layout of a vehicle's event: {@code system i32 | component i32 | event i32 | - | value i64 | now ns i64}. */
    static final class EventLayout {
        static final int SYSTEM_ID = 0;
        static final int COMPONENT_ID = SYSTEM_ID + Integer.BYTES;
        static final int EVENT = COMPONENT_ID + Integer.BYTES;
        static final int VALUE = 2 * Long.BYTES;
        static final int NOW_NS = VALUE + Long.BYTES;
        static final int LENGTH = NOW_NS + Long.BYTES;

        private EventLayout() {}
    }

    /**
     * The layout of a fit of a vehicle's clock:
     * {@code system i32 | component i32 | at ns i64 | vehicle us i64 | rate f64 | now ns i64 | step u8}.
     */
    static final class ClockLayout {
        static final int SYSTEM_ID = 0;
        static final int COMPONENT_ID = SYSTEM_ID + Integer.BYTES;
        static final int AT_NS = COMPONENT_ID + Integer.BYTES;
        static final int VEHICLE_US = AT_NS + Long.BYTES;
        static final int RATE = VEHICLE_US + Long.BYTES;
        static final int NOW_NS = RATE + Double.BYTES;
        static final int STEP = NOW_NS + Long.BYTES;
        static final int LENGTH = STEP + Byte.BYTES;

        private ClockLayout() {}
    }
}
