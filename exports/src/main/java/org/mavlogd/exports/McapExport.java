package org.mavlogd.exports;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.mavlogd.mcap.McapWriter;
import org.mavlogd.mcap.MessageSink;
import org.mavlogd.ulog.Column;
import org.mavlogd.ulog.KeyedValue;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;
import org.mavlogd.ulog.SampleView;
import org.mavlogd.ulog.ScanHandler;
import org.mavlogd.ulog.Topic;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicLayout;
import org.mavlogd.ulog.ULogHandler;

/**
 * Writes a log as MCAP while it is read; {@link #finish} ends the file. Channels and schemas are those of the {@code
 * mcap} command line tool: profile {@code px4}, a channel {@code <topic>/<instance>} of protobuf messages for each
 * topic instance, and the channels {@code log_message}, {@code parameters}, {@code dropout} and, for viewers that
 * support it, {@code log}.
 *
 * <p>Log times are UTC if the offset of the vehicle's clock is known, otherwise times since its boot. Times out of the
 * format's range, which only damage causes, become the first or last possible time; the message keeps the original. A
 * topic without time gets that of the previous sample.
 *
 * <p>Memory is bounded by the limits of the ULog reader and of {@link McapWriter}; a log whose formats exceed them is
 * refused with an exception. Damage is passed on to another handler. Owned by one thread.
 */
public final class McapExport implements ULogHandler {
    private static final String PROFILE = "px4";
    private static final String ENCODING = "protobuf";
    private static final int IDS = 65_536;
    private static final long MAX_US = Long.MAX_VALUE / 1000;
    private static final int NS_PER_US = 1000;

    /** Identifies a schema: topics with the same columns share one. */
    private record SchemaKey(String name, List<Column> columns) {}

    private record ChannelKey(String name, int multiId, int schemaId) {}

    private record Schema(int id, SampleEncoder encoder) {}

    /** The current topic of a message id, and its channel. */
    private record Subscribed(Topic topic, SampleEncoder encoder, int channelId) {}

    private final MessageSink sink;
    private final ULogHandler damage;
    private final LongSupplier offsetUs;
    private final SideChannels side;
    private final InfoMetadata infos;
    private final ProtoEncoder message = new ProtoEncoder();
    private final Map<String, TopicFormat> formats = new HashMap<>();
    private final Map<SchemaKey, Schema> schemas = new HashMap<>();
    private final Map<ChannelKey, Integer> channels = new HashMap<>();
    private final @Nullable Subscribed[] byId = new Subscribed[IDS];
    private final Sequences sequences = new Sequences();
    private long lastUs;
    private long messages;

    /**
     * Starts the file.
     *
     * @param library name and version of the writing program
     * @param bootUtcUs start of the vehicle's clock, in microseconds UTC; 0 if unknown
     * @param damage receives damage in the log
     */
    public McapExport(WritableByteChannel channel, String library, long bootUtcUs, ULogHandler damage)
            throws IOException {
        this(new McapWriter(channel, McapWriter.Settings.of(PROFILE, library)), () -> bootUtcUs, damage);
    }

    /**
     * Passes the same channels and messages to another sink.
     *
     * @param bootUtcUs called for each message: for a log that is being written it may become known late
     */
    public McapExport(MessageSink sink, LongSupplier bootUtcUs, ULogHandler damage) {
        this.sink = sink;
        this.damage = damage;
        offsetUs = bootUtcUs;
        side = new SideChannels(this::write, sink);
        infos = new InfoMetadata(sink);
    }

    /** Ends the file. */
    public void finish() throws IOException {
        infos.finish();
        sink.finish();
    }

    /** Number of samples written. */
    public long messages() {
        return messages;
    }

    /** Number of topic instances with samples. */
    public int topics() {
        return channels.size();
    }

    @Override
    public void onStart(int version, long startUs) {
        lastUs = startUs;
    }

    @Override
    public void onFormat(TopicFormat format) {
        formats.put(format.name(), format);
    }

    @Override
    public void onInfo(KeyedValue info) throws IOException {
        infos.add(info);
    }

    @Override
    public void onMultiInfo(KeyedValue info, boolean continued) throws IOException {
        infos.add(info, continued);
    }

    @Override
    public void onParameter(Parameter parameter, boolean change) throws IOException {
        side.parameter(lastUs, parameter, SideChannels.NO_DEFAULT);
    }

    @Override
    public void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {
        side.parameter(lastUs, parameter, defaultTypes);
    }

    @Override
    public void onSample(SampleView sample) throws IOException {
        Topic topic = sample.topic();
        Subscribed subscribed = byId[topic.messageId()];
        if (subscribed == null || subscribed.topic() != topic) {
            subscribed = subscribe(topic);
            byId[topic.messageId()] = subscribed;
        }
        onTime(sample.timestampUs());
        messages++;
        if (sink.wants(subscribed.channelId())) {
            subscribed.encoder().encode(sample, message);
            write(subscribed.channelId(), lastUs, message);
        }
    }

    /** Takes the time of a sample, also of one that is not exported; 0 if it has none. */
    public void onTime(long timestampUs) {
        if (timestampUs != 0) {
            lastUs = timestampUs;
        }
    }

    @Override
    public void onLoggedText(LoggedText text) throws IOException {
        side.text(text, nanos(text.timestampUs()));
    }

    @Override
    public void onDropout(int durationMs) throws IOException {
        side.dropout(lastUs, durationMs);
    }

    @Override
    public void onFlawed(ScanHandler.Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
            throws IOException {
        damage.onFlawed(flaw, position, type, buffer, offset, length);
    }

    @Override
    public void onDamage(long position, long length) throws IOException {
        damage.onDamage(position, length);
    }

    @Override
    public void onCut(long position, long length) throws IOException {
        damage.onCut(position, length);
    }

    private Subscribed subscribe(Topic topic) throws IOException {
        TopicLayout layout = topic.layout().orElseThrow();
        SchemaKey key = new SchemaKey(topic.name(), layout.columns());
        Schema schema = schemas.get(key);
        if (schema == null) {
            SampleEncoder encoder = SampleEncoder.of(layout, formats);
            String name = SampleEncoder.PACKAGE + "." + ProtoSchema.identifier(topic.name());
            schema = new Schema(sink.addSchema(name, ENCODING, encoder.schema()), encoder);
            schemas.put(key, schema);
        }
        ChannelKey channel = new ChannelKey(topic.name(), topic.multiId(), schema.id());
        Integer id = channels.get(channel);
        if (id == null) {
            id = sink.addChannel(
                    topic.name() + "/" + topic.multiId(),
                    schema.id(),
                    ENCODING,
                    Map.of("multi_id", Integer.toString(topic.multiId())));
            channels.put(channel, id);
        }
        return new Subscribed(topic, schema.encoder(), id);
    }

    /** Hot path. */
    private void write(int channelId, long timestampUs, ProtoEncoder encoded) throws IOException {
        long timeNs = nanos(timestampUs);
        long sequence = sequences.next(channelId);
        sink.message(channelId, sequence, timeNs, timeNs, encoded.bytes(), 0, encoded.length());
    }

    private long nanos(long timestampUs) {
        return nanos(timestampUs, offsetUs.getAsLong());
    }

    /** A time of the log as stored in the file: unsigned nanoseconds, UTC if the offset is known. */
    public static long nanos(long timestampUs, long bootUtcUs) {
        boolean isBeyond = timestampUs < 0 || timestampUs > MAX_US - bootUtcUs; // unsigned
        return (isBeyond ? MAX_US : Math.max(0, timestampUs + bootUtcUs)) * NS_PER_US;
    }

    /** Counts the messages of each channel. */
    private static final class Sequences {
        private long[] counts = new long[256];

        long next(int channelId) {
            if (channelId >= counts.length) {
                counts = Arrays.copyOf(counts, Math.max(channelId + 1, counts.length * 2));
            }
            return counts[channelId]++ & 0xFFFF_FFFFL;
        }
    }
}
