package org.mavlogd.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.FileSink;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
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

/** Makes a long log of a short real one: repeats its data, each time with later timestamps. */
final class LongLog implements ULogHandler {
    private static final WriterSettings SETTINGS =
            new WriterSettings(128 * 1024, 500_000, TimestampPolicy.COUNT_AND_KEEP);

    private final Map<Topic, TopicWriter> topics = new HashMap<>();
    private final Map<String, TopicWriter> subscriptions = new HashMap<>();
    private final FileSink sink;
    private final ULogWriter writer;
    private final byte[] fields = new byte[1 << 16];
    private final ByteBuffer view = ByteBuffer.wrap(fields).order(ByteOrder.LITTLE_ENDIAN);
    private boolean isFirst = true;
    private long offsetUs;
    private final long startUs;
    private long endUs;

    private LongLog(FileSink sink, long startUs) {
        this.sink = sink;
        this.startUs = startUs;
        this.writer = new ULogWriter(sink, startUs, SETTINGS);
    }

    /** Writes a log of at least {@code bytes} bytes. */
    static void make(Path log, Path target, long bytes) throws IOException {
        byte[] source;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(log))) {
            source = in.readAllBytes();
        }
        long startUs = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES);
        try (FileSink sink = FileSink.create(target)) {
            LongLog made = new LongLog(sink, startUs);
            while (made.writer.position() < bytes) {
                made.topics.clear();
                ULogReader reader = new ULogReader(made);
                reader.feed(source, 0, source.length);
                reader.finish();
                made.isFirst = false;
                made.offsetUs += made.endUs - made.startUs;
            }
            made.writer.flush();
            made.sink.flush();
        }
    }

    @Override
    public void onFormat(TopicFormat format) throws IOException {
        if (isFirst) {
            writer.format(format);
        }
    }

    @Override
    public void onInfo(KeyedValue info) throws IOException {
        if (isFirst) {
            writer.info(info.key(), info.bytes());
        }
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) throws IOException {
        if (isFirst || change) {
            if (parameter.type() == FieldType.FLOAT) {
                writer.parameter(parameter.name(), (float) parameter.value());
            } else {
                writer.parameter(parameter.name(), (int) parameter.value());
            }
        }
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        Topic topic = sample.topic();
        TopicWriter out = topics.get(topic);
        if (out == null) {
            out = subscribed(topic.name(), topic.multiId());
            topics.put(topic, out);
        }
        endUs = Math.max(endUs, sample.timestampUs());
        sample.copyTo(fields, 0);
        Column time = out.layout().timestamp().orElseThrow();
        view.putLong(time.offset(), sample.timestampUs() + offsetUs);
        out.writeRaw(fields, 0, out.layout().sizeWithoutPadding());
    }

    @Override
    public void onLoggedText(LoggedText text) throws IOException {
        writer.loggedString(text.level(), text.timestampUs() + offsetUs, text.text());
    }

    /** Subscribes the topic's lower instances first, as a writer must. */
    private TopicWriter subscribed(String name, int multiId) throws IOException {
        TopicWriter out = subscriptions.get(name + ":" + multiId);
        if (out == null) {
            if (multiId > 0) {
                subscribed(name, multiId - 1);
            }
            out = writer.subscribe(name, multiId);
            subscriptions.put(name + ":" + multiId, out);
        }
        return out;
    }
}
