package org.mavlogd.feed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;

/**
 * Fills samples of one topic, field by field in the order of its format; arrays element by element. Reused: {@link #begin}
 * starts the next one. Owned by the producing thread; allocates nothing.
 *
 * <p>A value of the wrong kind, one too many or one too few is an error of the caller and throws.
 */
public final class LocalSample {
    private static final int MAX_INSTANCE = 255;

    private final LocalPublisher publisher;
    private final LocalTopic topic;
    private final Column[] columns;
    private final ByteBuffer bytes;
    private final UnsafeBuffer view;
    private final UnsafeBuffer foreign = new UnsafeBuffer(0, 0);

    private int instance;
    private long takenNs;
    private int column;
    private int element;

    LocalSample(LocalPublisher publisher, LocalTopic topic) {
        this.publisher = publisher;
        this.topic = topic;
        this.columns = topic.valueColumns();
        this.bytes = ByteBuffer.allocate(topic.valueBytes()).order(ByteOrder.LITTLE_ENDIAN);
        this.view = new UnsafeBuffer(bytes);
    }

    public LocalTopic topic() {
        return topic;
    }

    /**
     * Begins a sample.
     *
     * @param instance 0 to 255, for several devices of a kind
     * @param takenNs monotonic time of the measurement
     */
    public LocalSample begin(int instance, long takenNs) {
        if (instance < 0 || instance > MAX_INSTANCE) {
            throw new IllegalArgumentException(topic.name() + ": instance " + instance + ", allowed 0 to 255");
        }
        this.instance = instance;
        this.takenNs = takenNs;
        bytes.clear();
        column = 0;
        element = 0;
        return this;
    }

    /** Adds the next value, of an integer type or a char; only the lowest bits are kept if it does not fit. */
    public LocalSample integer(long value) {
        FieldType type = next();
        switch (type) {
            case INT8, UINT8, CHAR -> bytes.put((byte) value);
            case INT16, UINT16 -> bytes.putShort((short) value);
            case INT32, UINT32 -> bytes.putInt((int) value);
            case INT64, UINT64 -> bytes.putLong(value);
            default -> throw wrong(type, "a whole number");
        }
        return this;
    }

    /** Adds the next value, of type float. */
    public LocalSample float32(float value) {
        FieldType type = next();
        if (type != FieldType.FLOAT) {
            throw wrong(type, "a float");
        }
        bytes.putFloat(value);
        return this;
    }

    /** Adds the next value, of type double. */
    public LocalSample float64(double value) {
        FieldType type = next();
        if (type != FieldType.DOUBLE) {
            throw wrong(type, "a double");
        }
        bytes.putDouble(value);
        return this;
    }

    /** Adds the next value, of type bool. */
    public LocalSample bool(boolean value) {
        FieldType type = next();
        if (type != FieldType.BOOL) {
            throw wrong(type, "a bool");
        }
        bytes.put((byte) (value ? 1 : 0));
        return this;
    }

    /** Adds all elements of a char array: ASCII as it is, other characters as '?'; truncated, or padded with NUL. */
    public LocalSample text(CharSequence text) {
        Column field = columns[Math.min(column, columns.length - 1)];
        if (column >= columns.length || field.type() != FieldType.CHAR || element != 0) {
            throw new IllegalArgumentException(topic.name() + ": field \"" + field.path() + "\" takes no text here");
        }
        for (int i = 0; i < field.count(); i++) {
            char letter = i < text.length() ? text.charAt(i) : 0;
            bytes.put((byte) (letter < 0x80 ? letter : '?'));
        }
        column++;
        return this;
    }

    /** Publishes the sample; false if the ring is full. */
    public boolean publish() {
        if (column != columns.length) {
            throw new IllegalStateException(
                    topic.name() + ": field \"" + columns[column].path() + "\" has no value yet");
        }
        return publisher.sample(topic, instance, takenNs, view, 0, bytes.position());
    }

    /** Publishes a sample from the {@link LocalTopic#valueBytes} bytes after the timestamp, laid out as in the log. */
    public boolean publishRaw(int instance, long takenNs, byte[] values, int offset) {
        begin(instance, takenNs);
        foreign.wrap(values, offset, topic.valueBytes());
        return publisher.sample(topic, instance, takenNs, foreign, 0, topic.valueBytes());
    }

    /**
     * Claims room in the ring for a sample that the caller lays out there: {@link LocalTopic#valueBytes} bytes of
     * {@link #ring} from the returned index on. The index must be passed to {@link #commit} or {@link #abort} before
     * anything else is published.
     *
     * @return negative if the ring is full
     */
    public int claim(int which, long atNs) {
        begin(which, atNs);
        return publisher.claim(topic, which, atNs);
    }

    /** The buffer that holds claimed samples. */
    public MutableDirectBuffer ring() {
        return publisher.ring();
    }

    /** Publishes the sample at {@code claimed}. */
    public void commit(int claimed) {
        publisher.commit(claimed);
    }

    /** Drops the sample at {@code claimed}; the recorder would wait for it, and for all after it, for ever. */
    public void abort(int claimed) {
        publisher.abort(claimed);
    }

    private FieldType next() {
        if (column >= columns.length) {
            throw new IllegalStateException(topic.name() + ": more values than fields");
        }
        Column field = columns[column];
        element++;
        if (element == field.count()) {
            element = 0;
            column++;
        }
        return field.type();
    }

    private IllegalArgumentException wrong(FieldType type, String given) {
        return new IllegalArgumentException(topic.name() + ": " + given + " for a field of type " + type.text());
    }
}
