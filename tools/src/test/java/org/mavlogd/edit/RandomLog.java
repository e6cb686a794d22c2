package org.mavlogd.edit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.mavlogd.logtools.LogDamage;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.MemorySink;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Logs of random topics and samples, and the contents of a log, line by line. */
final class RandomLog {
    static final long START_US = 1_000_000;
    static final long START_UTC_US = 1_774_038_460_000_000L;

    private final Random random;
    private final String prefix;
    final MemorySink sink = new MemorySink();
    final ULogWriter log;
    final List<TopicWriter> topics = new ArrayList<>();
    long timeUs = START_US;

    /** Nests formats of higher numbers in those of lower ones; the names of all begin with {@code prefix}. */
    RandomLog(Random random, String prefix, String vehicle) throws IOException {
        this.random = random;
        this.prefix = prefix;
        this.log = new ULogWriter(sink, START_US, new WriterSettings(1 << 17, 20_000, TimestampPolicy.COUNT_AND_KEEP));
        log.info("sys_name", "PX4");
        log.info(Field.of(FieldType.UINT64, UtcReference.RECORDER_START), bytes(START_UTC_US));
        if (!vehicle.isEmpty()) {
            log.info("sys_uuid", vehicle);
        }
        log.multiInfo("text_list", "one");
        log.multiInfo("text_list", "x".repeat(70_000));
        log.defaultParameter(ULogWriter.SYSTEM_DEFAULT, "P_INT", 1);
        log.parameter("P_INT", 5);
        log.parameter("P_FLOAT", 0.5f);
        declare();
    }

    static byte[] bytes(long value) {
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value >>> (Byte.SIZE * i));
        }
        return bytes;
    }

    private void declare() throws IOException {
        int formats = 2 + random.nextInt(4);
        for (int i = 0; i < formats; i++) {
            List<Field> fields = new ArrayList<>();
            fields.add(Field.of(FieldType.UINT64, "timestamp"));
            fields.add(Field.of(FieldType.UINT32, "value"));
            if (i + 1 < formats && random.nextBoolean()) {
                fields.add(Field.nestedArray(prefix + (i + 1), 1 + random.nextInt(2), "nested"));
            }
            fields.add(Field.array(FieldType.UINT8, 1 + random.nextInt(7), "_padding0"));
            log.format(new TopicFormat(prefix + i, fields));
        }
        for (int i = 0; i < formats; i++) {
            for (int multiId = 0; multiId <= random.nextInt(3); multiId++) {
                topics.add(log.subscribe(prefix + i, multiId));
            }
        }
    }

    /** Writes samples, messages, parameter changes and dropouts in the order of time, except for some late samples. */
    RandomLog fill(int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            timeUs += random.nextInt(2_000);
            switch (random.nextInt(40)) {
                case 0 -> log.loggedString(LogLevel.INFO, timeUs, "text " + random.nextInt());
                case 1 -> log.taggedString(LogLevel.WARNING, 3, timeUs, "tagged " + random.nextInt());
                case 2 -> log.parameter("P_INT", random.nextInt(5));
                case 3 -> log.dropout(1 + random.nextInt(20));
                case 4 -> sample(timeUs - Math.min(500, timeUs - START_US));
                default -> sample(timeUs);
            }
        }
        return this;
    }

    void sample(long atUs) throws IOException {
        TopicWriter topic = topics.get(random.nextInt(topics.size()));
        topic.begin(atUs);
        for (Column column : topic.layout().columns()) {
            if (column.path().endsWith("value")) {
                topic.integer(column, random.nextInt() & 0xFFFF_FFFFL);
            }
        }
        topic.write();
    }

    byte[] toBytes() throws IOException {
        log.close();
        return sink.toByteArray();
    }

    Path write(Path file) throws IOException {
        return Files.write(file, toBytes());
    }

    /** The contents of a log. */
    static final class Contents extends LogDamage.Tally {
        final List<String> samples = new ArrayList<>();
        final List<String> texts = new ArrayList<>();
        final List<String> parameters = new ArrayList<>();
        final List<String> changes = new ArrayList<>();
        final List<String> infos = new ArrayList<>();
        final List<String> formats = new ArrayList<>();
        final List<String> topics = new ArrayList<>();
        final List<Integer> dropouts = new ArrayList<>();
        final List<Long> times = new ArrayList<>();
        final UtcReference utc = new UtcReference();
        long startUs;

        static Contents of(Path log) throws IOException {
            return of(Files.readAllBytes(log));
        }

        static Contents of(byte[] log) throws IOException {
            Contents contents = new Contents();
            ULogReader reader = new ULogReader((ULogHandler) contents);
            reader.feed(log, 0, log.length);
            reader.finish();
            return contents;
        }

        @Override
        public void onStart(int version, long atUs) {
            startUs = atUs;
            utc.onStart(version, atUs);
        }

        @Override
        public void onFormat(TopicFormat format) {
            formats.add(format.text());
        }

        @Override
        public void onInfo(KeyedValue info) {
            infos.add(info.name());
            utc.onInfo(info);
        }

        @Override
        public void onMultiInfo(KeyedValue info, boolean continued) {
            infos.add(info.name() + (continued ? "+" : "") + info.bytes().length);
        }

        @Override
        public void onTopic(Topic topic) {
            topics.add(topic.toString());
        }

        @Override
        public void onParameter(Parameter parameter, boolean change) {
            (change ? changes : parameters).add(parameter.name() + "=" + parameter.value());
        }

        @Override
        public void onSample(SampleView sample) {
            byte[] fields = new byte[sample.length()];
            sample.copyTo(fields, 0);
            samples.add(sample.topic() + " " + sample.timestampUs() + " "
                    + HexFormat.of().formatHex(fields, 8, fields.length));
            times.add(sample.timestampUs());
        }

        @Override
        public void onLoggedText(LoggedText text) {
            texts.add(text.level() + " " + text.tag() + " " + text.timestampUs() + " " + text.text());
        }

        @Override
        public void onDropout(int durationMs) {
            dropouts.add(durationMs);
        }
    }
}
