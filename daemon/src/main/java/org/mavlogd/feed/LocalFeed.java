package org.mavlogd.feed;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.jspecify.annotations.Nullable;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;

/**
 * Carries the samples and log messages of one local source to the recorder: a ring, and the list of the source's
 * topics. A source that publishes too much fills its own ring and loses its own samples, never a vehicle's chunks.
 *
 * <p>Lock-free and without allocation per record.
 */
public final class LocalFeed {
    /** Takes the records of one local feed in the order in which they were published. Hot path. */
    public interface Handler {
        /**
         * A sample of a topic.
         *
         * @param instance 0 to 255, for several devices of a kind; the log's multi_id
         * @param takenNs monotonic time of the measurement
         * @param buffer holds the fields after the timestamp, as in the log; valid during the call only
         */
        void onSample(LocalTopic topic, int instance, long takenNs, DirectBuffer buffer, int offset, int length);

        /**
         * A log message with a tag.
         *
         * @param level 0 (emergency) to 7 (debug)
         * @param tag unsigned 16 bit
         * @param buffer holds valid UTF-8, at least one byte; valid during the call only
         */
        void onText(int level, int tag, long takenNs, DirectBuffer buffer, int offset, int length);
    }

    /** More topics than this are refused. */
    public static final int MAX_TOPICS = 1024;

    /** Index of log messages, used in place of a topic's index. */
    public static final int TEXTS = MAX_TOPICS;

    static final int SAMPLE = 1;
    static final int TEXT = 2;

    private final String name;
    private final MemoryShare share;
    private final Ring ring;
    private final Latest<List<LocalTopic>> topics = new Latest<>(List.of());
    private final Counter refused = new Counter();
    private final Losses losses = new Losses();

    /**
     * With a ring outside the heap.
     *
     * @param ringBytes a power of two, at least 64 KiB
     */
    public LocalFeed(String name, int ringBytes) {
        this(name, ringBytes, MemoryShare.unlimited());
    }

    /**
     * For a source that takes data from other programs.
     *
     * @param share memory budget for the topics; owned by the producing thread
     */
    public LocalFeed(String name, int ringBytes, MemoryShare share) {
        this.name = name;
        this.share = share;
        this.ring = new Ring(ringBytes);
    }

    /** The name of the source. */
    public String name() {
        return name;
    }

    /** The topics declared so far. Any thread. */
    public List<LocalTopic> topics() {
        return topics.get();
    }

    /** The producing end, for the producing thread only. */
    public LocalPublisher publisher() {
        return new LocalPublisher(ring, topics, refused, losses, share);
    }

    /** The consuming end, which passes each record to {@code handler}; for the consuming thread only. */
    public Consumer consumer(Handler handler) {
        return new Consumer(ring, topics, handler, losses);
    }

    /** Samples and log messages that did not fit into the ring so far. Any thread. */
    public long refused() {
        return refused.get();
    }

    /** Share of the ring in use, 0 to 1. Any thread. */
    public double fill() {
        return ring.fill();
    }

    /** Takes records out. Owned by one thread. */
    public static final class Consumer {
        private final Ring ring;
        private final Latest<List<LocalTopic>> topics;
        private final Handler handler;
        private final Losses losses;
        private final MessageHandler dispatch = this::dispatch;

        private Consumer(Ring ring, Latest<List<LocalTopic>> topics, Handler handler, Losses losses) {
            this.losses = losses;
            this.ring = ring;
            this.topics = topics;
            this.handler = handler;
        }

        /** Passes on at most {@code limit} records; returns how many there were. */
        public int drain(int limit) {
            return ring.read(dispatch, limit);
        }

        /**
         * Reports to the producer whether the last record of a topic is in a log.
         *
         * @param topic its index, or {@link #TEXTS}
         * @param why the reason why it is in no log; empty if it is in one, or will be within seconds
         */
        public void tellLoss(int topic, String why) {
            losses.set(topic, why);
        }

        private void dispatch(int type, MutableDirectBuffer buffer, int index, int length) {
            long takenNs = buffer.getLong(index + Layout.TAKEN_NS);
            switch (type) {
                case SAMPLE ->
                    // A topic is declared before its first sample is committed.
                    handler.onSample(
                            topics.get().get(buffer.getInt(index + Layout.TOPIC)),
                            buffer.getByte(index + Layout.INSTANCE) & 0xFF,
                            takenNs,
                            buffer,
                            index + Layout.VALUES,
                            length - Layout.VALUES);
                case TEXT ->
                    handler.onText(
                            buffer.getByte(index + Layout.LEVEL),
                            buffer.getShort(index + Layout.TAG) & 0xFFFF,
                            takenNs,
                            buffer,
                            index + Layout.TEXT,
                            length - Layout.TEXT);
                default ->
                    throw new IllegalStateException("record type " + type + " of " + length + " bytes in the ring");
            }
        }
    }

    /**
     * The layout of records in a local feed's ring, native byte order.
     *
     * <pre>
     * sample: taken ns i64 | topic i32 | instance u8 | 3 unused | the fields after the timestamp, as in the log
     * text:   taken ns i64 | tag u16 | level u8 | 1 unused | UTF-8
     * </pre>
     */
    static final class Layout {
        static final int TAKEN_NS = 0;
        static final int TOPIC = TAKEN_NS + Long.BYTES;
        static final int INSTANCE = TOPIC + Integer.BYTES;
        static final int VALUES = INSTANCE + Integer.BYTES;

        static final int TAG = TAKEN_NS + Long.BYTES;
        static final int LEVEL = TAG + Short.BYTES;
        static final int TEXT = LEVEL + Short.BYTES;

        private Layout() {}
    }

    /**
     * For each topic of a feed, why its last record is in no log; empty if it is in one. The consumer reports this to
     * the producer: one thread sets, any thread reads. Hot path: an unchanged reason costs a plain read.
     */
    static final class Losses {
        private final AtomicReferenceArray<@Nullable String> reasons = new AtomicReferenceArray<>(LocalFeed.TEXTS + 1);

        void set(int topic, String why) {
            if (!why.equals(reasons.getPlain(topic))) {
                reasons.setRelease(topic, why); // pairs with the acquire in get()
            }
        }

        String get(int topic) {
            String why = reasons.getAcquire(topic);
            return why == null ? "" : why;
        }
    }
}
