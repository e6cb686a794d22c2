package org.mavlogd.ulog;

import java.nio.charset.StandardCharsets;

/**
 * One sample of a topic, in the reader's buffer.
 *
 * <p>Reused for every sample and valid only during {@link ULogHandler#onSample}. Columns come from the topic's layout:
 * look them up when the topic is announced. A column of another layout, or of a type that does not fit the method,
 * causes {@link IllegalArgumentException} or {@link IndexOutOfBoundsException}. Numbers allocate nothing.
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog, "Logged Data Message"</a>
 */
public final class SampleView {
    private @Nullable Topic topic;
    private byte[] buffer = {};
    private int fields;
    private int length;
    private long timestampUs;

    SampleView() {}

    void wrap(Topic of, byte[] bytes, int offset, int size, long timeUs) {
        topic = of;
        buffer = bytes;
        fields = offset;
        length = size;
        timestampUs = timeUs;
    }

    public Topic topic() {
        if (topic == null) {
            throw new IllegalStateException("no sample here");
        }
        return topic;
    }

    /** Time of the sample in microseconds; timestamps of 8, 16 and 32 bits are extended; 0 if the topic has none. */
    public long timestampUs() {
        return timestampUs;
    }

    /** Length of the fields in bytes, with or without the padding at the end. */
    public int length() {
        return length;
    }

    /** Copies the fields as they are in the log. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(buffer, fields, target, offset, length);
    }

    /**
     * Value of a scalar, or of an array's first element, of an integer type, bool or char; for uint64_t its 64 bits.
     */
    public long integer(Column column) {
        return Values.integer(column.type(), buffer, at(column, 0));
    }

    public long integer(Column column, int index) {
        return Values.integer(column.type(), buffer, at(column, index));
    }

    /** Value of a scalar, or of an array's first element, of any type. */
    public double number(Column column) {
        return Values.number(column.type(), buffer, at(column, 0));
    }

    public double number(Column column, int index) {
        return Values.number(column.type(), buffer, at(column, index));
    }

    /**
     * Reads every element of every column, in the order of the layout, into {@code target}: the fastest way to read
     * them.
     *
     * @return their number, {@link TopicLayout#elementCount()}
     */
    public int numbers(double[] target) {
        int count = 0;
        for (Column run : topic().runs()) {
            Values.numbers(run, buffer, fields + run.offset(), target, count);
            count += run.count();
        }
        return count;
    }

    /** Reads all elements of a column of any type into {@code target} from {@code offset} on. */
    public void numbers(Column column, double[] target, int offset) {
        if (column.offset() + column.length() > length) {
            throw outside(column);
        }
        Values.numbers(column, buffer, fields + column.offset(), target, offset);
    }

    /** Value of a float, with its exact bits. */
    public float float32(Column column, int index) {
        if (column.type() != FieldType.FLOAT) {
            throw new IllegalArgumentException(
                    "\"" + column.path() + "\" is " + column.type().text());
        }
        return Float.intBitsToFloat(Bytes.int32(buffer, at(column, index)));
    }

    /** Value of a char array up to its first zero, as UTF-8. */
    public String text(Column column) {
        if (column.type() != FieldType.CHAR) {
            throw new IllegalArgumentException(
                    "\"" + column.path() + "\" is " + column.type().text());
        }
        int from = at(column, column.count() - 1) - column.count() + 1;
        int end = from;
        while (end < from + column.count() && buffer[end] != 0) {
            end++;
        }
        return new String(buffer, from, end - from, StandardCharsets.UTF_8);
    }

    private int at(Column column, int index) {
        int offset = column.elementOffset(index);
        if (offset + column.type().length() > length) {
            throw outside(column);
        }
        return fields + offset;
    }

    private static IndexOutOfBoundsException outside(Column column) {
        return new IndexOutOfBoundsException("\"" + column.path() + "\" is not a column of this sample");
    }
}
