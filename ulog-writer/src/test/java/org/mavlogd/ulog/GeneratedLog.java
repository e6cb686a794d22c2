package org.mavlogd.ulog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A log of random formats, nested and of all types, with random samples, and the lines that a reader must produce. */
final class GeneratedLog {
    private static final FieldType[] TYPES = FieldType.values();

    final byte[] bytes;
    final List<String> lines = new ArrayList<>();
    private final Random random;

    GeneratedLog(long seed, int samples) throws IOException {
        random = new Random(seed);
        MemorySink sink = new MemorySink();
        ULogWriter log = new ULogWriter(sink, 1, new WriterSettings(1 << 17, 20_000, TimestampPolicy.REFUSE));
        List<TopicWriter> topics = declare(log);
        long timeUs = 1_000;
        for (int i = 0; i < samples; i++) {
            timeUs += 1 + random.nextInt(500);
            if (random.nextInt(20) == 0) {
                log.loggedString(LogLevel.WARNING, timeUs, "text " + i);
                lines.add("L " + (int) '4' + " " + timeUs + " text " + i);
            } else {
                write(topics.get(random.nextInt(topics.size())), timeUs);
            }
        }
        log.close();
        bytes = sink.toByteArray();
    }

    /** Nests formats of higher numbers in those of lower ones, so that types are used before they are defined. */
    private List<TopicWriter> declare(ULogWriter log) throws IOException {
        int formats = 2 + random.nextInt(5);
        for (int i = 0; i < formats; i++) {
            List<Field> fields = new ArrayList<>();
            fields.add(Field.of(FieldType.UINT64, "timestamp"));
            int count = 1 + random.nextInt(6);
            for (int k = 0; k < count; k++) {
                fields.add(field(i, k, formats));
            }
            if (random.nextBoolean()) {
                fields.add(Field.array(FieldType.UINT8, 1 + random.nextInt(7), "_padding0"));
            }
            log.format(new TopicFormat("format_" + i, fields));
        }
        List<TopicWriter> topics = new ArrayList<>();
        for (int i = 0; i < formats; i++) {
            for (int multiId = 0; multiId <= random.nextInt(3); multiId++) {
                topics.add(log.subscribe("format_" + i, multiId));
            }
        }
        return topics;
    }

    private Field field(int format, int index, int formats) {
        String name = "f" + index;
        boolean array = random.nextInt(3) == 0;
        int length = 1 + random.nextInt(4);
        if (format + 1 < formats && random.nextInt(3) == 0) {
            String nested = "format_" + (format + 1 + random.nextInt(formats - format - 1));
            return array ? Field.nestedArray(nested, length, name) : Field.nested(nested, name);
        }
        FieldType type = TYPES[random.nextInt(TYPES.length)];
        return array || type == FieldType.CHAR ? Field.array(type, length, name) : Field.of(type, name);
    }

    private void write(TopicWriter topic, long timeUs) throws IOException {
        StringBuilder line = new StringBuilder("D ").append(topic.messageId());
        topic.begin(timeUs);
        for (Column column : topic.layout().columns()) {
            if (column.path().equals("timestamp")) {
                line.append(" timestamp=").append(timeUs);
            } else if (column.type() == FieldType.CHAR) {
                String text = "abcdefgh".substring(0, random.nextInt(column.count() + 1));
                topic.text(column, text);
                line.append(' ')
                        .append(column.path())
                        .append("=\"")
                        .append(text)
                        .append('"');
            } else {
                for (int i = 0; i < column.count(); i++) {
                    line.append(' ').append(path(column, i)).append('=').append(set(topic, column, i));
                }
            }
        }
        topic.write();
        lines.add(line.toString());
    }

    /** Sets one element to a random value and returns the text that a reader must produce. */
    private String set(TopicWriter topic, Column column, int index) {
        switch (column.type()) {
            case FLOAT -> {
                float value = random.nextFloat() * random.nextInt();
                topic.float32(column, index, value);
                return number(value);
            }
            case DOUBLE -> {
                double value = random.nextGaussian() * random.nextLong();
                topic.float64(column, index, value);
                return number(value);
            }
            default -> {
                long value = whole(column.type());
                topic.integer(column, index, value);
                return text(column.type(), value);
            }
        }
    }

    private long whole(FieldType type) {
        long bits = random.nextLong();
        return switch (type) {
            case BOOL -> bits & 1;
            case INT8 -> (byte) bits;
            case INT16 -> (short) bits;
            case INT32 -> (int) bits;
            case UINT8 -> bits & 0xFF;
            case UINT16 -> bits & 0xFFFF;
            case UINT32 -> bits & 0xFFFF_FFFFL;
            default -> bits;
        };
    }

    static String path(Column column, int index) {
        return column.isArray() ? column.path() + "[" + index + "]" : column.path();
    }

    static String text(FieldType type, long bits) {
        return switch (type) {
            case UINT64 -> Long.toUnsignedString(bits);
            case INT64 -> Long.toString(bits);
            case BOOL -> Boolean.toString(bits != 0);
            default -> number((double) bits);
        };
    }

    static String number(double value) {
        return Long.toHexString(Double.doubleToLongBits(value));
    }
}
