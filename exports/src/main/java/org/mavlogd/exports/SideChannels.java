package org.mavlogd.exports;

import java.io.IOException;
import java.util.Map;
import org.mavlogd.exports.ProtoSchema.Label;
import org.mavlogd.exports.ProtoSchema.ProtoType;
import org.mavlogd.mcap.MessageSink;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.LoggedText;
import org.mavlogd.ulog.Parameter;

/**
 * The channels other than topics: messages, parameters, dropouts. Each is created with its first message.
 *
 * <p>Logged messages are on {@code log_message}, with ULog's severity, and also on {@code log} with the schema {@code
 * foxglove.Log}, which log panels show.
 */
final class SideChannels {
    /** Marks the value of a parameter, not one of its defaults. */
    static final int NO_DEFAULT = 0;

    private static final String ENCODING = "protobuf";
    private static final String FILE = "px4.proto";
    private static final int NONE = -1;
    private static final long NS_PER_S = 1_000_000_000;

    // foxglove.Log.Level
    private static final int LEVEL_DEBUG = 1;
    private static final int LEVEL_INFO = 2;
    private static final int LEVEL_WARNING = 3;
    private static final int LEVEL_ERROR = 4;
    private static final int LEVEL_FATAL = 5;

    /** Writes a message with a time of the log. */
    @FunctionalInterface
    interface Out {
        void write(int channelId, long timestampUs, ProtoEncoder message) throws IOException;
    }

    private final Out out;
    private final MessageSink sink;
    private final ProtoEncoder message = new ProtoEncoder();
    private final ProtoEncoder time = new ProtoEncoder();
    private int textChannel = NONE;
    private int logChannel = NONE;
    private int parameterChannel = NONE;
    private int dropoutChannel = NONE;

    SideChannels(Out out, MessageSink sink) {
        this.out = out;
        this.sink = sink;
    }

    /** @param timeNs time of the text in the file */
    void text(LoggedText text, long timeNs) throws IOException {
        if (textChannel == NONE) {
            textChannel = channel("log_message", "px4.log_message", textSchema());
            logChannel = channel("log", "foxglove.Log", logSchema());
        }
        message.clear();
        message.integer(1, text.timestampUs());
        message.integer(2, text.level().code() - '0');
        message.string(3, text.text());
        message.integer(4, text.isTagged() ? text.tag() : 0);
        out.write(textChannel, text.timestampUs(), message);

        time.clear();
        time.integer(1, timeNs / NS_PER_S);
        time.integer(2, timeNs % NS_PER_S);
        message.clear();
        message.raw(1, time.toByteArray());
        message.integer(2, foxgloveLevel(text.level()));
        message.string(3, text.text());
        message.string(4, text.isTagged() ? "tag " + text.tag() : "");
        out.write(logChannel, text.timestampUs(), message);
    }

    /** @param defaultTypes as in the log, or {@link #NO_DEFAULT} */
    void parameter(long timestampUs, Parameter parameter, int defaultTypes) throws IOException {
        if (parameterChannel == NONE) {
            parameterChannel = channel("parameters", "px4.parameter", parameterSchema());
        }
        message.clear();
        message.string(1, parameter.name());
        message.float64(2, parameter.value());
        message.integer(3, defaultTypes == NO_DEFAULT ? 0 : 1);
        message.integer(4, defaultTypes);
        message.string(5, parameter.type().text());
        message.integer(6, timestampUs);
        out.write(parameterChannel, timestampUs, message);
    }

    void dropout(long timestampUs, int durationMs) throws IOException {
        if (dropoutChannel == NONE) {
            dropoutChannel = channel("dropout", "px4.dropout", dropoutSchema());
        }
        message.clear();
        message.integer(1, timestampUs);
        message.integer(2, durationMs);
        out.write(dropoutChannel, timestampUs, message);
    }

    private int channel(String topic, String schema, byte[] descriptors) throws IOException {
        return sink.addChannel(topic, sink.addSchema(schema, ENCODING, descriptors), ENCODING, Map.of());
    }

    private static int foxgloveLevel(LogLevel level) {
        return switch (level) {
            case EMERGENCY, ALERT -> LEVEL_FATAL;
            case CRITICAL, ERROR -> LEVEL_ERROR;
            case WARNING -> LEVEL_WARNING;
            case NOTICE, INFO -> LEVEL_INFO;
            case DEBUG -> LEVEL_DEBUG;
        };
    }

    private static byte[] textSchema() {
        return new ProtoSchema()
                .file(FILE, SampleEncoder.PACKAGE)
                .message("log_message")
                .field("timestamp", 1, ProtoType.UINT64)
                .field("severity", 2, ProtoType.UINT32)
                .field("text", 3, ProtoType.STRING)
                .field("tag", 4, ProtoType.UINT32)
                .toByteArray();
    }

    private static byte[] parameterSchema() {
        return new ProtoSchema()
                .file(FILE, SampleEncoder.PACKAGE)
                .message("parameter")
                .field("name", 1, ProtoType.STRING)
                .field("value", 2, ProtoType.DOUBLE)
                .field("default", 3, ProtoType.BOOL)
                .field("default_types", 4, ProtoType.UINT32)
                .field("type", 5, ProtoType.STRING)
                .field("timestamp", 6, ProtoType.UINT64)
                .toByteArray();
    }

    private static byte[] dropoutSchema() {
        return new ProtoSchema()
                .file(FILE, SampleEncoder.PACKAGE)
                .message("dropout")
                .field("timestamp", 1, ProtoType.UINT64)
                .field("duration_ms", 2, ProtoType.UINT32)
                .toByteArray();
    }

    private static byte[] logSchema() {
        return new ProtoSchema()
                .file("google/protobuf/timestamp.proto", "google.protobuf")
                .message("Timestamp")
                .field("seconds", 1, ProtoType.INT64)
                .field("nanos", 2, ProtoType.INT32)
                .file("foxglove/Log.proto", "foxglove", "google/protobuf/timestamp.proto")
                .message("Log")
                .enumeration("Level", "UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL")
                .field("timestamp", 1, Label.SINGLE, ProtoType.MESSAGE, ".google.protobuf.Timestamp")
                .field("level", 2, Label.SINGLE, ProtoType.ENUM, ".foxglove.Log.Level")
                .field("message", 3, ProtoType.STRING)
                .field("name", 4, ProtoType.STRING)
                .field("file", 5, ProtoType.STRING)
                .field("line", 6, ProtoType.UINT32)
                .toByteArray();
    }
}
