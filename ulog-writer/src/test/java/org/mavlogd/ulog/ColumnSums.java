package org.mavlogd.ulog;

import static org.mavlogd.ulog.Contents.at;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * CRC-32 of the values of each topic: column after column in the order of the fields, little endian.
 *
 * <p>Values are read by the typed accessors and encoded again, so the sum covers what a user of the reader sees.
 * Padding inside the sample counts as columns of single bytes, as in the established reader.
 */
final class ColumnSums implements ULogHandler {
    private final Map<String, List<byte[]>> samples = new LinkedHashMap<>();
    private final Map<String, TopicLayout> layouts = new LinkedHashMap<>();

    @Override
    public void onSample(SampleView sample) {
        TopicLayout layout = sample.topic().layout().orElseThrow();
        byte[] fields = new byte[sample.length()];
        sample.copyTo(fields, 0);
        for (Column column : layout.columns()) {
            for (int i = 0; i < column.count(); i++) {
                encode(sample, column, i, fields);
            }
        }
        String topic = sample.topic().toString();
        layouts.put(topic, layout);
        samples.computeIfAbsent(topic, name -> new ArrayList<>()).add(fields);
    }

    String of(String topic) {
        List<byte[]> rows = at(samples, topic);
        TopicLayout layout = at(layouts, topic);
        CRC32 crc = new CRC32();
        int next = 0;
        for (Column column : layout.columns()) {
            next = padding(crc, rows, next, column.offset());
            for (int i = 0; i < column.count(); i++) {
                int length = column.type().length();
                for (byte[] row : rows) {
                    crc.update(row, next, length);
                }
                next += length;
            }
        }
        padding(crc, rows, next, layout.sizeWithoutPadding());
        return String.format("%08x", crc.getValue());
    }

    private static int padding(CRC32 crc, List<byte[]> rows, int from, int to) {
        for (int i = from; i < to; i++) {
            for (byte[] row : rows) {
                crc.update(row[i]);
            }
        }
        return to;
    }

    private static void encode(SampleView sample, Column column, int index, byte[] fields) {
        int offset = column.offset() + index * column.type().length();
        switch (column.type()) {
            case FLOAT -> Bytes.putInt32(fields, offset, Float.floatToRawIntBits(sample.float32(column, index)));
            case DOUBLE -> Bytes.putInt64(fields, offset, Double.doubleToRawLongBits(sample.number(column, index)));
            case INT64, UINT64 -> Bytes.putInt64(fields, offset, sample.integer(column, index));
            case INT32, UINT32 -> Bytes.putInt32(fields, offset, (int) sample.integer(column, index));
            case INT16, UINT16 -> Bytes.putInt16(fields, offset, (int) sample.integer(column, index));
            default -> fields[offset] = (byte) sample.integer(column, index);
        }
    }
}
