package org.mavlogd.logtools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.TopicNames;
import org.mavlogd.local.heard.HeardFormat;
import org.mavlogd.local.heard.LongText;
import org.mavlogd.mavlink.Dialect;
import org.mavlogd.mavlink.FrameView;
import org.mavlogd.mavlink.HeartbeatLayout;
import org.mavlogd.mavlink.MessageIds;
import org.mavlogd.mavlink.MessageLayout;
import org.mavlogd.mavlink.ParamValueLayout;
import org.mavlogd.mavlink.StatusText;
import org.mavlogd.mavlink.StatustextLayout;
import org.mavlogd.mavlink.TlogDecoder;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.FieldType;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.ScanHandler.Flaw;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogException;
import org.mavlogd.ulog.ULogHandler;
import org.mavlogd.ulog.ULogSink;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/**
 * Maps a telemetry log to ULog. Each message becomes a sample of the topic {@code mavlink_<name>}, as the recorder
 * writes it with section {@code [messages]}, with an instance for each sender; STATUSTEXT also becomes a logged
 * message, and PARAM_VALUE of the first autopilot also a parameter. Times are relative to the first record; if the
 * clock was set meanwhile, they continue without the step, and UTC is that of the last part.
 *
 * <p>Reads the log twice, since ULog needs all formats before the first sample; a log that cannot be read twice is
 * copied first.
 */
final class TelemetryMapping {
    private static final WriterSettings SETTINGS =
            new WriterSettings(WriterSettings.DEFAULT.bufferBytes(), 0, TimestampPolicy.COUNT_AND_KEEP);
    // Further senders of a message are ignored: a ULog has no more instances.
    private static final int MAX_INSTANCES = 256;
    private static final int MAX_PARAMETERS = 10_000;
    // Larger steps are a clock that was set: no sender is silent for so long, and times of different threads differ by
    // less.
    private static final long PAUSE_US = TimeUnit.HOURS.toMicros(12);
    private static final long DISORDER_US = TimeUnit.SECONDS.toMicros(1);
    private static final LogLevel[] LEVELS = LogLevel.values();
    private static final int AUTOPILOT_ARDUPILOT = 3;
    private static final int AUTOPILOT_INVALID = 8;
    private static final int AUTOPILOT_PX4 = 12;
    private static final int AUTOPILOT_COMPONENT = 1;
    private static final int TYPE_REAL32 = 9;
    private static final byte[] NO_BYTES = {};

    private final ULogHandler flaws;
    private final Progress progress;
    private final Dialect dialect = Dialect.standard();

    /** @param flaws receives damage and truncation, with positions in the telemetry log */
    TelemetryMapping(ULogHandler flaws, Progress progress) {
        this.flaws = flaws;
        this.progress = progress;
    }

    /** A parameter's value: a whole number or a float. */
    private record Value(boolean isInteger, int bits) {}

    /** Writes the ULog. */
    void map(Path log, LogBytes opened, ULogSink sink) throws IOException {
        if (opened.isRereadable()) {
            map(survey(opened), log, sink);
            return;
        }
        Path copy = opened.copy();
        try (LogBytes copied = LogBytes.open(copy)) {
            map(survey(copied), copy, sink);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private Survey survey(LogBytes log) throws IOException {
        Survey survey = new Survey();
        TlogDecoder decoder = new TlogDecoder(survey, dialect);
        log.feed(decoder::feed, (done, total) -> progress.onProgress(done, 2 * total));
        decoder.finish();
        if (survey.frames == 0) {
            throw new ULogException("no telemetry log: it holds no MAVLink frame whose checksum is right");
        }
        return survey;
    }

    private void map(Survey survey, Path log, ULogSink sink) throws IOException {
        // Not closed after a failure: closing would continue writing.
        ULogWriter writer = new ULogWriter(sink, 0, SETTINGS);
        Target target = new Target(survey, writer);
        target.begin();
        TlogDecoder decoder = new TlogDecoder(target, dialect);
        try (LogBytes again = LogBytes.open(log)) {
            again.feed(decoder::feed, (done, total) -> progress.onProgress(total + done, 2 * total));
        }
        decoder.finish();
        target.end();
        writer.close();
        for (long i = 0; i < target.leftOut; i++) {
            flaws.onFlawed(Flaw.NO_TOPIC, LogDamage.NOWHERE, 0, NO_BYTES, 0, 0);
        }
    }

    /** The times of records since the first one, without steps of a clock that was set. */
    private static final class Timeline {
        private boolean isBegun;
        private long lastUtcUs;
        private long lastUs;
        private long offsetUs;

        long us(long utcUs) {
            long stepUs = utcUs - lastUtcUs;
            if (!isBegun || stepUs > PAUSE_US || stepUs < -DISORDER_US) {
                isBegun = true;
                offsetUs = lastUs - utcUs;
            }
            lastUtcUs = utcUs;
            lastUs = Math.max(0, utcUs + offsetUs);
            return lastUs;
        }

        /** UTC of time 0, by the clock at the end of the log. */
        long startUtcUs() {
            return -offsetUs;
        }
    }

    /** Collects the messages in the log, and an autopilot's facts about itself. */
    private final class Survey implements TlogDecoder.Handler {
        final boolean[] seen = new boolean[dialect.count()];
        final Map<String, Value> parameters = new LinkedHashMap<>();
        final Timeline times = new Timeline();
        long frames;
        int autopilot = AUTOPILOT_INVALID;
        int system;

        @Override
        public void onFrame(long utcUs, FrameView frame) {
            frames++;
            times.us(utcUs);
            if (frame.definition() == FrameView.UNKNOWN) {
                return;
            }
            seen[frame.definition()] = true;
            if (frame.messageId() == MessageIds.HEARTBEAT
                    && system == 0
                    && frame.componentId() == AUTOPILOT_COMPONENT
                    && HeartbeatLayout.autopilot(frame) != AUTOPILOT_INVALID) {
                autopilot = HeartbeatLayout.autopilot(frame);
                system = frame.systemId();
            }
            if (isParameter(frame) && parameters.size() < MAX_PARAMETERS) {
                parameters.putIfAbsent(name(frame), value(frame));
            }
        }

        boolean isParameter(FrameView frame) {
            return frame.messageId() == MessageIds.PARAM_VALUE
                    && frame.systemId() == system
                    && frame.componentId() == AUTOPILOT_COMPONENT
                    && !name(frame).isEmpty();
        }

        /** The name as ULog allows it. */
        String name(FrameView frame) {
            byte[] name = new byte[ParamValueLayout.PARAM_ID_LENGTH];
            frame.copyPayload(ParamValueLayout.PARAM_ID_OFFSET, name, 0, name.length);
            int length = 0;
            while (length < name.length && name[length] > ' ' && name[length] < 0x7F) {
                length++;
            }
            return TopicNames.escaped(new String(name, 0, length, StandardCharsets.US_ASCII));
        }

        /** Decodes a value: ArduPilot sends integers as floats, others their bytes in place of a float's. */
        Value value(FrameView frame) {
            float number = ParamValueLayout.paramValue(frame);
            int type = ParamValueLayout.paramType(frame);
            if (type >= TYPE_REAL32) {
                return new Value(false, Float.floatToRawIntBits(number));
            }
            int whole = autopilot == AUTOPILOT_ARDUPILOT
                    ? Math.round(number)
                    : narrow(Float.floatToRawIntBits(number), type);
            return new Value(true, whole);
        }

        /** MAV_PARAM_TYPE: 1 and 2 are of 8 bits, 3 and 4 of 16; unsigned, signed. */
        private int narrow(int bits, int type) {
            return switch (type) {
                case 1 -> bits & 0xFF;
                case 2 -> (byte) bits;
                case 3 -> bits & 0xFFFF;
                case 4 -> (short) bits;
                default -> bits;
            };
        }

        @Override
        public void onDamage(long position, long length) {}

        @Override
        public void onCut(long position, long length) {}
    }

    /** Writes the samples, messages and changes of parameters. */
    private final class Target implements TlogDecoder.Handler {
        private final Survey survey;
        private final ULogWriter writer;
        private final Timeline times = new Timeline();
        private final Map<String, Value> parameters;
        private final @Nullable Messages[] topics = new Messages[dialect.count()];
        private final Map<Integer, LongText> texts = new HashMap<>();
        private final byte[] piece = new byte[StatustextLayout.TEXT_LENGTH];
        long leftOut;

        Target(Survey survey, ULogWriter writer) {
            this.survey = survey;
            this.writer = writer;
            this.parameters = new HashMap<>(survey.parameters);
        }

        void begin() throws IOException {
            writer.info("sys_name", system());
            ByteBuffer utc = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            utc.putLong(survey.times.startUtcUs());
            writer.info(Field.of(FieldType.UINT64, UtcReference.RECORDER_START), utc.array());
            writer.info(UtcReference.TIME_ORIGIN, "the first record");
            for (int definition = 0; definition < survey.seen.length; definition++) {
                if (survey.seen[definition]) {
                    MessageLayout message = dialect.layout(definition);
                    HeardFormat format = HeardFormat.of(HeardFormat.topic(dialect, definition), message);
                    writer.format(format.format());
                    topics[definition] = new Messages(format.format().name(), message);
                }
            }
            for (Map.Entry<String, Value> parameter : survey.parameters.entrySet()) {
                write(parameter.getKey(), parameter.getValue());
            }
        }

        private String system() {
            return switch (survey.autopilot) {
                case AUTOPILOT_ARDUPILOT -> "ArduPilot";
                case AUTOPILOT_PX4 -> "PX4";
                default -> "MAVLink";
            };
        }

        private void write(String name, Value value) throws IOException {
            if (value.isInteger()) {
                writer.parameter(name, value.bits());
            } else {
                writer.parameter(name, Float.intBitsToFloat(value.bits()));
            }
        }

        @Override
        public void onFrame(long utcUs, FrameView frame) throws IOException {
            long timeUs = times.us(utcUs);
            Messages topic = frame.definition() == FrameView.UNKNOWN ? null : topics[frame.definition()];
            if (topic == null || !topic.write(frame, timeUs)) {
                leftOut++;
                return;
            }
            if (frame.messageId() == MessageIds.STATUSTEXT) {
                text(frame, timeUs);
            } else if (survey.isParameter(frame)) {
                String name = survey.name(frame);
                Value value = survey.value(frame);
                if (parameters.size() < MAX_PARAMETERS && !value.equals(parameters.put(name, value))) {
                    write(name, value);
                }
            }
        }

        private void text(FrameView frame, long timeUs) throws IOException {
            if (StatustextLayout.id(frame) == 0) {
                frame.copyPayload(StatustextLayout.TEXT_OFFSET, piece, 0, piece.length);
                String text = new String(piece, 0, StatusText.length(piece, 0), StandardCharsets.UTF_8);
                log(StatustextLayout.severity(frame), timeUs, text);
                return;
            }
            int source = frame.systemId() << Byte.SIZE | frame.componentId();
            LongText pieces = texts.get(source);
            if (pieces != null && !pieces.isOf(frame)) {
                finish(source);
                pieces = null;
            }
            if (pieces == null) {
                pieces = begin(source, frame, timeUs);
            }
            if (pieces.add(frame, TimeUnit.MICROSECONDS.toNanos(timeUs)) == LongText.Verdict.OTHER_TEXT) {
                finish(source);
                pieces = begin(source, frame, timeUs);
                pieces.add(frame, TimeUnit.MICROSECONDS.toNanos(timeUs));
            }
            if (pieces.isWhole()) {
                finish(source);
            }
        }

        private LongText begin(int source, FrameView frame, long timeUs) {
            LongText text = new LongText();
            text.begin(frame, false, TimeUnit.MICROSECONDS.toNanos(timeUs));
            texts.put(source, text);
            return text;
        }

        private void finish(int source) throws IOException {
            LongText text = texts.remove(source);
            if (text != null) {
                log(text.severity(), TimeUnit.NANOSECONDS.toMicros(text.firstNs()), text.text());
            }
        }

        private void log(int severity, long timeUs, String text) throws IOException {
            if (!text.isEmpty()) {
                writer.loggedString(LEVELS[Math.min(severity, LEVELS.length - 1)], timeUs, text);
            }
        }

        void end() throws IOException {
            for (Integer source : List.copyOf(texts.keySet())) {
                finish(source);
            }
        }

        @Override
        public void onDamage(long position, long length) throws IOException {
            flaws.onDamage(position, length);
        }

        @Override
        public void onCut(long position, long length) throws IOException {
            flaws.onCut(position, length);
        }

        /** The samples of one message, with an instance for each sender. */
        private final class Messages {
            private final String topic;
            private final int payloadLength;
            private final byte[] sample;
            private final ByteBuffer time;
            private final Map<Integer, TopicWriter> senders = new HashMap<>();

            Messages(String topic, MessageLayout message) {
                this.topic = topic;
                this.payloadLength = message.fullLength();
                this.sample = new byte[Long.BYTES + payloadLength + HeardFormat.SOURCE_BYTES];
                this.time = ByteBuffer.wrap(sample).order(ByteOrder.LITTLE_ENDIAN);
            }

            boolean write(FrameView frame, long timeUs) throws IOException {
                int source = frame.systemId() << Byte.SIZE | frame.componentId();
                TopicWriter sender = senders.get(source);
                if (sender == null) {
                    if (senders.size() == MAX_INSTANCES) {
                        return false;
                    }
                    sender = writer.subscribe(topic, senders.size());
                    senders.put(source, sender);
                }
                time.putLong(0, timeUs);
                frame.copyPayload(0, sample, Long.BYTES, payloadLength);
                sample[Long.BYTES + payloadLength] = (byte) frame.systemId();
                sample[Long.BYTES + payloadLength + 1] = (byte) frame.componentId();
                sender.writeRaw(sample, 0, sample.length);
                return true;
            }
        }
    }
}
