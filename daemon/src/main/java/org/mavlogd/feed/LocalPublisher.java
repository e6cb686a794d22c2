package org.mavlogd.feed;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.metrics.Counter;
import org.mavlogd.metrics.Latest;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;

/**
 * The producing end of a {@link LocalFeed}: declares topics, and publishes samples and log messages.
 *
 * <pre>{@code
 * LocalSample cpu = publisher.declare(
 *         TopicFormat.parse("companion_cpu:uint64_t timestamp;float load;uint8_t cores;"), Map.of("load", "1"));
 * cpu.begin(0, nowNs).float32(0.25f).integer(4).publish();
 * }</pre>
 *
 * <p>Owned by the producing thread. A full ring is a normal event: {@code false} is returned, nothing is published, and the
 * producer counts it. Publishing allocates nothing.
 */
public final class LocalPublisher {
    /** Longer texts are cut here, between characters. */
    public static final int MAX_TEXT_BYTES = 1024;

    private final MemoryShare share;
    private final Ring ring;
    private final Latest<List<LocalTopic>> topics;
    private final Counter refused;
    private final LocalFeed.Losses losses;
    private final CharsetEncoder utf8 = StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final ByteBuffer textBytes = ByteBuffer.allocate(MAX_TEXT_BYTES);
    private final UnsafeBuffer textView = new UnsafeBuffer(textBytes);

    LocalPublisher(
            Ring ring, Latest<List<LocalTopic>> topics, Counter refused, LocalFeed.Losses losses, MemoryShare share) {
        this.losses = losses;
        this.share = share;
        this.ring = ring;
        this.topics = topics;
        this.refused = refused;
    }

    /** The position up to which the ring is filled, for {@link #isTaken}. */
    public long position() {
        return ring.filled();
    }

    /** Whether the recorder took all records before this position. */
    public boolean isTaken(long position) {
        return ring.taken() - position >= 0;
    }

    /**
     * Why the last sample of a topic is in no log; empty if it is in one, will be within seconds, or if none was taken
     * yet.
     *
     * @param topic its index, or {@link LocalFeed#TEXTS}
     */
    public String loss(int topic) {
        return losses.get(topic);
    }

    /** How many more topics can be declared. */
    public int remainingTopics() {
        return LocalFeed.MAX_TOPICS - topics.get().size();
    }

    /** Reserves the memory for a topic before it is declared; false if there is none. */
    public boolean reserve(TopicFormat format) {
        return share.reserve(LocalTopic.footprint(format));
    }

    /** Releases the memory reserved for a topic that is not declared after all. */
    public void release(TopicFormat format) {
        share.release(LocalTopic.footprint(format));
    }

    /**
     * Declares a topic before its samples are published. Every log that begins from now on has it.
     *
     * @param units unit texts by field name
     * @throws IllegalArgumentException if the format has a {@link LocalTopic#problem}, or a unit's field is unknown
     * @throws IllegalStateException if there are {@link LocalFeed#MAX_TOPICS} already
     */
    public LocalSample declare(TopicFormat format, Map<String, String> units) {
        List<LocalTopic> now = topics.get();
        if (now.size() == LocalFeed.MAX_TOPICS) {
            throw new IllegalStateException("more than " + LocalFeed.MAX_TOPICS + " topics in one feed");
        }
        LocalTopic topic = LocalTopic.of(now.size(), format, units);
        List<LocalTopic> more = new ArrayList<>(now);
        more.add(topic);
        topics.set(List.copyOf(more));
        return new LocalSample(this, topic);
    }

    /** Publishes a text of at least one character; see {@link LocalFeed.Handler#onText}. */
    public boolean text(LogLevel level, int tag, long takenNs, CharSequence text) {
        textBytes.clear();
        utf8.reset().encode(CharBuffer.wrap(text), textBytes, true);
        int length = textBytes.position();
        if (length == 0) {
            throw new IllegalArgumentException("an empty text");
        }
        int index = ring.tryClaim(LocalFeed.TEXT, LocalFeed.Layout.TEXT + length);
        if (index < 0) {
            refused.increment();
            return false;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putLong(index + LocalFeed.Layout.TAKEN_NS, takenNs);
        buffer.putShort(index + LocalFeed.Layout.TAG, (short) tag);
        buffer.putByte(index + LocalFeed.Layout.LEVEL, (byte) (level.code() - '0'));
        buffer.putBytes(index + LocalFeed.Layout.TEXT, textView, 0, length);
        ring.commit(index);
        return true;
    }

    boolean sample(LocalTopic topic, int instance, long takenNs, UnsafeBuffer values, int offset, int length) {
        int claimed = claim(topic, instance, takenNs);
        if (claimed < 0) {
            return false;
        }
        ring.buffer().putBytes(claimed, values, offset, length);
        commit(claimed);
        return true;
    }

    /** Claims room for the values of a sample; negative if the ring is full. */
    int claim(LocalTopic topic, int instance, long takenNs) {
        int index = ring.tryClaim(LocalFeed.SAMPLE, LocalFeed.Layout.VALUES + topic.valueBytes());
        if (index < 0) {
            refused.increment();
            return index;
        }
        AtomicBuffer buffer = ring.buffer();
        buffer.putLong(index + LocalFeed.Layout.TAKEN_NS, takenNs);
        buffer.putInt(index + LocalFeed.Layout.TOPIC, topic.index());
        buffer.putByte(index + LocalFeed.Layout.INSTANCE, (byte) instance);
        return index + LocalFeed.Layout.VALUES;
    }

    void commit(int claimed) {
        ring.commit(claimed - LocalFeed.Layout.VALUES);
    }

    void abort(int claimed) {
        ring.abort(claimed - LocalFeed.Layout.VALUES);
    }

    MutableDirectBuffer ring() {
        return ring.buffer();
    }
}
