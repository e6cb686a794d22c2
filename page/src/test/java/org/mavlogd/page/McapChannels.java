package org.mavlogd.page;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.mavlogd.exports.McapExport;
import org.mavlogd.logtools.UtcReference;
import org.mavlogd.mcap.McapHandler;
import org.mavlogd.mcap.McapMessageView;
import org.mavlogd.mcap.McapReader;
import org.mavlogd.mcap.McapRecord;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogReader;

/** The channels of an {@code export mcap} file of a log, with their messages. */
final class McapChannels implements McapHandler {
    private final Map<Integer, McapRecord.Schema> schemas = new HashMap<>();
    private final Map<Integer, Recorded> byId = new HashMap<>();
    private final Map<String, Recorded> byTopic = new TreeMap<>();

    /** A channel. Messages contain the time in nanoseconds and the content; content and schema are in hexadecimal. */
    record Recorded(String encoding, String schemaName, String schemaEncoding, String schema, List<String> messages) {
        String text() {
            return String.join(" ", encoding, schemaName, schemaEncoding, schema);
        }
    }

    static McapChannels of(byte[] log) throws IOException {
        UtcReference utc = new UtcReference();
        read(log, utc);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        McapExport export = new McapExport(Channels.newChannel(out), "test", utc.bootUtcUs(), new ULogHandler() {});
        read(log, export);
        export.finish();
        McapChannels channels = new McapChannels();
        new McapReader(Channels.newChannel(new ByteArrayInputStream(out.toByteArray())), channels).read();
        return channels;
    }

    private static void read(byte[] log, ULogHandler handler) throws IOException {
        ULogReader reader = new ULogReader(handler);
        reader.feed(log, 0, log.length);
        reader.finish();
    }

    @Override
    public void onRecord(McapRecord record) {
        if (record instanceof McapRecord.Schema schema) {
            schemas.put(schema.id(), schema);
        } else if (record instanceof McapRecord.Channel channel && !byId.containsKey(channel.id())) {
            McapRecord.Schema schema = Objects.requireNonNull(schemas.get(channel.schemaId()));
            byte[] data = new byte[schema.data().remaining()];
            schema.data().duplicate().get(data);
            Recorded recorded = new Recorded(
                    channel.messageEncoding(),
                    schema.name(),
                    schema.encoding(),
                    HexFormat.of().formatHex(data),
                    new ArrayList<>());
            byId.put(channel.id(), recorded);
            byTopic.put(channel.topic(), recorded);
        }
    }

    @Override
    public void onMessage(McapMessageView message) {
        String content =
                HexFormat.of().formatHex(message.buffer(), message.offset(), message.offset() + message.length());
        Objects.requireNonNull(byId.get(message.channelId())).messages().add(message.logTimeNs() + " " + content);
    }

    Set<String> topics() {
        return byTopic.keySet();
    }

    Recorded channel(String topic) {
        return Objects.requireNonNull(byTopic.get(topic), topic);
    }
}
