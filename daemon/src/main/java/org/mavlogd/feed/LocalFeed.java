package org.mavlogd.feed;

import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;

/**
 * What one thread of this computer measures and says, on its way to the recorder: a ring, and the topics that are in it. A
 * source that publishes too much fills its own ring and loses its own samples, never a vehicle's chunks.
 *
 * <p>Lock-free and without allocation per record.
 */
public final class LocalFeed {
    /** More topics than this are refused. */
    public static final int MAX_TOPICS = 1024;

    /** Stands for all texts, where a topic has its index. */
    public static final int TEXTS = MAX_TOPICS;

    static final int SAMPLE = 1;
    static final int TEXT = 2;

    private final String name;
    private final MemoryShare share;
    private final OneToOneRingBuffer ring;
    private final Latest<List<LocalTopic>> topics = new Latest<>(List.of());
    private final Counter refused = new Counter();
    private final Losses losses = new Losses();

    /**
     * A feed with a ring of its own memory, outside the heap.
     *
     * @param ringBytes a power of two, at least 64 KiB
     */
    public LocalFeed(String name, int ringBytes) {
        this(name, ringBytes, MemoryShare.unlimited());
    }

    /**
     * A feed of a source that takes what others send.
     *
     * @param share the topics come out of; the producing thread's
     */
    public LocalFeed(String name, int ringBytes, MemoryShare share) {
        this.name = name;
        this.share = share;
        this.ring = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(ringBytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** The name of the source. */
    public String name() {
        return name;
    }

    /** What was declared so far. Any thread. */
    public List<LocalTopic> topics() {
        return topics.get();
    }

    /** The producing end; for the producing thread only. */
    public LocalPublisher publisher() {
        return new LocalPublisher(ring, topics, refused, losses, share);
    }

    /** The consuming end, which hands each record to {@code handler}; for the consuming thread only. */
    public Consumer consumer(LocalHandler handler) {
        return new Consumer(ring, topics, handler, losses);
    }

    /** Samples and texts that did not fit into the ring so far. Any thread. */
    public long refused() {
        return refused.get();
    }

    /** Share of the ring in use, 0 to 1. Any thread. */
    public double fill() {
        return (double) ring.size() / ring.capacity();
    }

    /** Takes records out. Owned by one thread. */
    public static final class Consumer {
        private final OneToOneRingBuffer ring;
        private final Latest<List<LocalTopic>> topics;
        private final LocalHandler handler;
        private final Losses losses;
        private final MessageHandler dispatch = this::dispatch;

        private Consumer(
                OneToOneRingBuffer ring, Latest<List<LocalTopic>> topics, LocalHandler handler, Losses losses) {
            this.losses = losses;
            this.ring = ring;
            this.topics = topics;
            this.handler = handler;
        }

        /** Hands out at most {@code limit} records; returns how many there were. */
        public int drain(int limit) {
            int count = ring.read(dispatch, limit);
            // At the end of the ring's memory a read may meet nothing but padding, with records behind it.
            return count > 0 || ring.size() == 0 ? count : ring.read(dispatch, limit);
        }

        /**
         * What became of the record that was just handed out.
         *
         * @param topic its index, or {@link #TEXTS}
         * @param why it is in no log; empty when it is in one, or will be within seconds
         */
        public void tellLoss(int topic, String why) {
            losses.set(topic, why);
        }

        private void dispatch(int type, MutableDirectBuffer buffer, int index, int length) {
            long takenNs = buffer.getLong(index + LocalLayout.TAKEN_NS);
            switch (type) {
                case SAMPLE ->
                    // A topic is declared before its first sample is committed.
                    handler.onSample(
                            topics.get().get(buffer.getInt(index + LocalLayout.TOPIC)),
                            buffer.getByte(index + LocalLayout.INSTANCE) & 0xFF,
                            takenNs,
                            buffer,
                            index + LocalLayout.VALUES,
                            length - LocalLayout.VALUES);
                case TEXT ->
                    handler.onText(
                            buffer.getByte(index + LocalLayout.LEVEL),
                            buffer.getShort(index + LocalLayout.TAG) & 0xFFFF,
                            takenNs,
                            buffer,
                            index + LocalLayout.TEXT,
                            length - LocalLayout.TEXT);
                default ->
                    throw new IllegalStateException("record type " + type + " of " + length + " bytes in the ring");
            }
        }
    }
}
