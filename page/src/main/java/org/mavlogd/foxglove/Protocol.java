package org.mavlogd.foxglove;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The messages of the protocol: objects in JSON, and binary frames with little-endian numbers. */
final class Protocol {
    static final int DATA_HEADER = 13;

    private static final byte MESSAGE_DATA = 1;
    private static final byte TIME = 2;

    /** The severity of a text. */
    enum Level {
        INFO(0),
        WARNING(1),
        ERROR(2);

        private final int code;

        Level(int code) {
            this.code = code;
        }
    }

    /** A channel as it is sent to clients. */
    record Channel(long id, String topic, String encoding, Schema schema) {}

    /** The schema of some channels' messages; data in Base64. */
    record Schema(String name, String encoding, String data) {}

    private Protocol() {}

    static String serverInfo(String name, String log, String session) {
        return new JsonObject()
                .put("op", "serverInfo")
                .put("name", name)
                .put("capabilities", new JsonArray().add("time"))
                .put("metadata", new JsonObject().put("log", log))
                .put("sessionId", session)
                .encode();
    }

    static String status(Level level, String message) {
        return new JsonObject()
                .put("op", "status")
                .put("level", level.code)
                .put("message", message)
                .encode();
    }

    static String advertise(List<Channel> channels) {
        JsonArray list = new JsonArray();
        for (Channel channel : channels) {
            list.add(new JsonObject()
                    .put("id", channel.id())
                    .put("topic", channel.topic())
                    .put("encoding", channel.encoding())
                    .put("schemaName", channel.schema().name())
                    .put("schema", channel.schema().data())
                    .put("schemaEncoding", channel.schema().encoding()));
        }
        return new JsonObject().put("op", "advertise").put("channels", list).encode();
    }

    static String unadvertise(long firstId, int count) {
        JsonArray ids = new JsonArray();
        for (int i = 0; i < count; i++) {
            ids.add(firstId + i);
        }
        return new JsonObject().put("op", "unadvertise").put("channelIds", ids).encode();
    }

    static Buffer data(long subscription, long timeNs, byte[] message, int offset, int length) {
        return Buffer.buffer(DATA_HEADER + length)
                .appendByte(MESSAGE_DATA)
                .appendUnsignedIntLE(subscription)
                .appendLongLE(timeNs)
                .appendBytes(message, offset, length);
    }

    static Buffer time(long timeNs) {
        return Buffer.buffer(1 + Long.BYTES).appendByte(TIME).appendLongLE(timeNs);
    }
}
