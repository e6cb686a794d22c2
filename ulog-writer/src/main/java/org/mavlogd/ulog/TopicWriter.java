package org.mavlogd.ulog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes the samples of one subscribed topic.
 *
 * <p>{@link #begin} clears the sample, the setters fill it, {@link #write} appends it without the padding at its end.
 * {@link #writeRaw} appends a payload that already has the layout. A setter throws {@link IllegalArgumentException} if
 * its type differs from the column's or the value is out of range. Columns come from {@link #column}: look them up
 * once. Allocates nothing per sample. Owned by the writer's thread.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Logged Data Message"</a>
 */
public final class TopicWriter {
    private final ULogWriter writer;
    private final MessageBuffer log;
    private final TopicLayout layout;
    private final int messageId;
    private final int timestampOffset;
    private final int length;
    private final long head;
    private final byte[] sample;
    private final ByteBuffer sampleBuffer;
    private long lastTimestampUs;
    private boolean begun;
    private boolean ended;

    TopicWriter(ULogWriter writer, TopicLayout layout, int messageId) {
        this.writer = writer;
        this.log = writer.buffer();
        this.layout = layout;
        this.messageId = messageId;
        this.timestampOffset = layout.timestamp().map(Column::offset).orElseThrow();
        this.length = layout.sizeWithoutPadding();
        this.head = MessageBuffer.dataHead(messageId, length);
        this.sample = new byte[layout.size()];
        this.sampleBuffer = ByteBuffer.wrap(sample);
    }

    public TopicLayout layout() {
        return layout;
    }

    /** Id of the topic in the log, 0 to 65535. */
    public int messageId() {
        return messageId;
    }

    /** The column with this path, such as {@code esc[2].rpm}. */
    public Column column(String path) {
        return layout.column(path)
                .orElseThrow(() ->
                        new IllegalArgumentException("topic \"" + layout.name() + "\" has no field \"" + path + "\""));
    }

    /** Starts a sample: sets the timestamp, in microseconds, and all other fields to zero. */
    public TopicWriter begin(long timestampUs) {
        Arrays.fill(sample, (byte) 0);
        Bytes.putInt64(sample, timestampOffset, timestampUs);
        begun = true;
        return this;
    }

    /** Sets a scalar of an integer type, bool or char. */
    public TopicWriter integer(Column column, long value) {
        return integer(column, 0, value);
    }

    /** Sets one element. For uint64_t the value is its 64 bits. */
    public TopicWriter integer(Column column, int index, long value) {
        int at = column.elementOffset(index);
        switch (column.type()) {
            case INT8 -> sample[at] = (byte) ranged(column, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case UINT8, CHAR -> sample[at] = (byte) ranged(column, value, 0, 0xFF);
            case BOOL -> sample[at] = (byte) ranged(column, value, 0, 1);
            case INT16 -> Bytes.putInt16(sample, at, (int) ranged(column, value, Short.MIN_VALUE, Short.MAX_VALUE));
            case UINT16 -> Bytes.putInt16(sample, at, (int) ranged(column, value, 0, 0xFFFF));
            case INT32 -> Bytes.putInt32(sample, at, (int) ranged(column, value, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case UINT32 -> Bytes.putInt32(sample, at, (int) ranged(column, value, 0, 0xFFFF_FFFFL));
            case INT64, UINT64 -> Bytes.putInt64(sample, at, value);
            case FLOAT, DOUBLE -> throw wrongType(column, "a whole number");
        }
        return this;
    }

    /** Sets a bool. */
    public TopicWriter bool(Column column, boolean value) {
        requireType(column, FieldType.BOOL);
        sample[column.elementOffset(0)] = (byte) (value ? 1 : 0);
        return this;
    }

    /** Sets a float. */
    public TopicWriter float32(Column column, float value) {
        return float32(column, 0, value);
    }

    public TopicWriter float32(Column column, int index, float value) {
        requireType(column, FieldType.FLOAT);
        Bytes.putInt32(sample, column.elementOffset(index), Float.floatToRawIntBits(value));
        return this;
    }

    /** Sets a double. */
    public TopicWriter float64(Column column, double value) {
        return float64(column, 0, value);
    }

    public TopicWriter float64(Column column, int index, double value) {
        requireType(column, FieldType.DOUBLE);
        Bytes.putInt64(sample, column.elementOffset(index), Double.doubleToRawLongBits(value));
        return this;
    }

    /**
     * Sets a char array to a text in UTF-8 and fills the rest with zeros. Throws if the text is longer than the array.
     */
    public TopicWriter text(Column column, CharSequence value) {
        requireType(column, FieldType.CHAR);
        if (Utf8.length(value) > column.length()) {
            throw new IllegalArgumentException(
                    place(column) + ": the text exceeds the " + column.length() + " bytes of the field");
        }
        sampleBuffer.clear().position(column.offset());
        Utf8.put(value, sampleBuffer);
        Arrays.fill(sample, sampleBuffer.position(), column.offset() + column.length(), (byte) 0);
        return this;
    }

    /** Appends the sample that {@link #begin} started. */
    public void write() throws IOException {
        if (!begun) {
            throw new IllegalStateException(
                    "'D' message \"" + layout.name() + "\": a sample begins before it is written");
        }
        begun = false;
        append(sample, 0);
    }

    /**
     * Appends a payload that has the layout of the format, including its timestamp.
     *
     * @param given length in bytes: {@link TopicLayout#sizeWithoutPadding()}, or {@link TopicLayout#size()}, of which
     *     the padding at the end is left out
     */
    public void writeRaw(byte[] fields, int offset, int given) throws IOException {
        if (given != length && given != sample.length) {
            throw new IllegalArgumentException(
                    "'D' message \"" + layout.name() + "\": " + given + " bytes of fields, not " + length);
        }
        append(fields, offset);
    }

    long lastTimestampUs() {
        return lastTimestampUs;
    }

    void end() {
        ended = true;
        lastTimestampUs = Long.MAX_VALUE;
    }

    void requireWriter(ULogWriter expected) {
        if (writer != expected || ended) {
            throw new IllegalStateException(
                    "'R' message \"" + layout.name() + "\": no topic of this log, or ended before");
        }
    }

    /** Hot path: runs for every sample, so rare cases are only reached through the comparison of times. */
    private void append(byte[] fields, int offset) throws IOException {
        long timestampUs = Bytes.int64(fields, offset + timestampOffset);
        if (timestampUs < lastTimestampUs || timestampUs >= writer.nextSyncUs()) {
            if (ended) {
                throw new IllegalStateException("'D' message \"" + layout.name() + "\": the topic was unsubscribed");
            }
            writer.onTime(this, timestampUs);
        }
        log.data(head, fields, offset, length);
        lastTimestampUs = Math.max(lastTimestampUs, timestampUs);
    }

    private long ranged(Column column, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(place(column) + ": " + value + " is not in " + min + " to " + max);
        }
        return value;
    }

    private void requireType(Column column, FieldType type) {
        if (column.type() != type) {
            throw wrongType(column, type.text());
        }
    }

    private IllegalArgumentException wrongType(Column column, String given) {
        return new IllegalArgumentException(
                place(column) + ": the field is " + column.type().text() + ", not " + given);
    }

    private String place(Column column) {
        return "'D' message \"" + layout.name() + "." + column.path() + "\"";
    }
}
