package org.mavlogd.record.blocks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.mavlogd.dataflash.MappedLog;
import org.mavlogd.memory.MemoryShare;
import org.mavlogd.record.figures.Tally;
import org.mavlogd.record.files.LogOutput;
import org.mavlogd.record.head.LogHead;
import org.mavlogd.record.local.LocalPart;
import org.mavlogd.record.order.LateMessages;
import org.mavlogd.record.order.UrgentText;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.MessageEncoder;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.ULogLayout;
import org.mavlogd.ulog.ULogWriter;

/**
 * Makes the messages of a live ULog from a mapper's output, and writes them into its files as if the vehicle had sent
 * them.
 *
 * <p>A topic whose format comes after a file's definitions is in the next file, which begins soon, because readers fail
 * at a format after the first subscription. Until then its samples are kept, up to 1 MiB. Owned by the recorder's
 * thread; samples are on the hot path and allocate nothing.
 */
public final class MappedMessages implements MappedLog {
    // Types that a script declares one after another are put into one new file.
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NEW_FILE_DISTANCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int NOT_LATE = -1;
    // A time that is further ahead of the blocks' arrival is damaged.
    private static final long MAX_LEAP_US = TimeUnit.HOURS.toMicros(1);
    // The dropout messages that fit into the buffer: far longer than any gap.
    private static final long MAX_DROPOUT_MS =
            (long) ULogLayout.MAX_MESSAGE_LENGTH / MessageEncoder.DROPOUT_LENGTH * ULogLayout.MAX_DROPOUT_MS;
    private static final int TIME_OFFSET = ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.DATA_HEADER_SIZE;

    private final LogHead head;
    private final LogOutput output;
    private final LocalPart localPart;
    private final Tally tally;
    private final LateMessages late;
    // By name, the number of the file that lacks the topic.
    private final Map<String, Integer> lateTopics = new HashMap<>();
    // Shared by all logs.
    private final ByteBuffer message;
    private final UnsafeBuffer view;

    private boolean begun;
    private boolean headForced;
    private int nextId;
    private long nowNs;
    private long arrivalNs;
    private long youngestUs;
    // Arrival of the block with the youngest time.
    private long youngestNs;
    private int latePart;
    private long lateDueNs;
    private long lastNewFileNs;
    private boolean newFileBefore;

    /**
     * Messages of one log.
     *
     * @param share memory for messages that wait for a file
     * @param message buffer, little endian, long enough for any message; valid during a call only
     */
    public MappedMessages(
            LogHead head, LogOutput output, LocalPart localPart, Tally tally, MemoryShare share, ByteBuffer message) {
        this.late = new LateMessages(share);
        this.message = message;
        this.view = new UnsafeBuffer(message);
        this.head = head;
        this.output = output;
        this.localPart = localPart;
        this.tally = tally;
    }

    /** Begins the head of the first file, which does not exist yet. */
    public void beginHead(long startUs, int zoneS) {
        youngestUs = startUs;
        youngestNs = arrivalNs;
        message.clear();
        MessageEncoder.header(message, startUs);
        head.onHeader(view, 0);
        message.clear();
        MessageEncoder.flagBits(message, ULogLayout.COMPAT_DEFAULT_PARAMETERS);
        put();
        message.clear();
        MessageEncoder.infoInt32(message, "time_ref_utc", zoneS);
        put();
    }

    /** Ends the head: the output has begun with it, or tries to. */
    public void endHead() {
        begun = true;
    }

    /** Sets the arrival of the bytes that are mapped next. */
    void at(long arrival, long now) {
        arrivalNs = arrival;
        nowNs = now;
    }

    /** The youngest time of a sample so far. */
    long youngestUs() {
        return youngestUs;
    }

    @Override
    public boolean format(TopicFormat format) {
        message.clear();
        MessageEncoder.format(message, format.text());
        if (!begun || !head.areDefinitionsThrough()) {
            return put();
        }
        lateTopics.put(format.name(), output.part());
        return head.onMessage(view, 0, message.position());
    }

    @Override
    public void info(String name, String text) {
        message.clear();
        MessageEncoder.infoText(message, name, text);
        define();
    }

    @Override
    public void info(Field key, byte[] value) {
        message.clear();
        MessageEncoder.info(message, key.text(), value, 0, value.length);
        define();
    }

    @Override
    public void multiInfo(String name, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length;
        for (int at = 0; at < utf8.length; at += length) {
            length = MessageEncoder.multiInfoPiece(name, utf8, at);
            message.clear();
            MessageEncoder.multiInfoText(message, at > 0, name, utf8, at, length);
            define();
        }
    }

    @Override
    public void defaultParameter(String name, float value) {
        message.clear();
        MessageEncoder.defaultParameterFloat(message, ULogWriter.SYSTEM_DEFAULT, name, value);
        put();
    }

    @Override
    public void parameter(String name, float value) {
        message.clear();
        MessageEncoder.parameterFloat(message, name, value);
        put();
    }

    @Override
    public @Nullable Series subscribe(String topic, int multiId) {
        int lacking = lateTopics.getOrDefault(topic, NOT_LATE);
        int messageId = nextId;
        message.clear();
        MessageEncoder.subscription(message, multiId, messageId, topic);
        int length = message.position();
        if (localPart.onVehicleSubscription(view, 0, length)) {
            output.beginNextFile(nowNs);
            localPart.giveWay(view, 0, length);
        }
        if (!(isWaiting(lacking) ? head.onMessage(view, 0, length) : put())) {
            return null;
        }
        nextId++;
        return new OneSeries(messageId, lacking);
    }

    @Override
    public void text(LogLevel level, long timestampUs, String text) {
        message.clear();
        MessageEncoder.loggedString(message, level, timestampUs, text);
        put();
        if (UrgentText.is(view, 0, message.position())) {
            output.makeUrgent();
        }
    }

    @Override
    public void sync() {
        message.clear();
        MessageEncoder.sync(message);
        put();
    }

    /** Writes a gap; none at the start of a log that is joined in the middle. */
    @Override
    public void dropout(long durationMs) {
        if (!head.isComplete() || !output.isOpen()) {
            return; // reported as a gap when there is a file again
        }
        long toldMs = Math.max(1, Math.min(durationMs, MAX_DROPOUT_MS));
        message.clear();
        MessageEncoder.dropouts(message, toldMs);
        put();
        tally.dropout(toldMs);
    }

    @Override
    public void dropped(long count, long durationMs) {
        tally.droppedMessages(count);
        dropout(durationMs);
    }

    /** One instance of a topic. */
    private final class OneSeries implements Series {
        private final int messageId;
        private final int lacking;

        OneSeries(int messageId, int lacking) {
            this.messageId = messageId;
            this.lacking = lacking;
        }

        @Override
        public void sample(byte[] fields, int offset, int length) {
            message.clear();
            MessageEncoder.data(message, messageId, fields, offset, length);
            long timeUs = view.getLong(TIME_OFFSET, ByteOrder.LITTLE_ENDIAN);
            long leapUs = timeUs - youngestUs;
            // A vehicle may log nothing for hours.
            if (leapUs > 0 && leapUs <= MAX_LEAP_US + TimeUnit.NANOSECONDS.toMicros(arrivalNs - youngestNs)) {
                youngestUs = timeUs;
                youngestNs = arrivalNs;
            }
            if (isWaiting(lacking)) {
                keep();
            } else {
                put();
            }
        }
    }

    /** Whether the current file is the one that lacks the topic. */
    private boolean isWaiting(int lacking) {
        return lacking != NOT_LATE && lacking == output.part() && output.isOpen();
    }

    /** Writes an info. Infos are valid for the whole log, so later files get it too. */
    private void define() {
        if (!begun || !head.isComplete()) {
            put();
        } else {
            head.onLateInfo(view, 0, message.position());
            append();
        }
    }

    /** Returns whether the message is in the head or in a file. Hot path. */
    private boolean put() {
        int length = message.position();
        if (!begun) {
            return head.onMessage(view, 0, length);
        }
        output.rotateIfDue(length, nowNs);
        moveLate();
        if (!LogHead.isDefinition(view.getByte(ULogLayout.MESSAGE_TYPE_OFFSET))) {
            output.endDefinitions(nowNs);
        }
        boolean kept = head.onMessage(view, 0, length);
        // Every file begins with the head, so messages kept there are not lost while there is no file.
        if (output.isOpen() || !kept) {
            append();
        }
        if (!headForced && head.isComplete()) {
            headForced = true;
            output.makeUrgent();
        }
        return kept || output.isOpen();
    }

    private void append() {
        output.append(view, 0, message.position(), arrivalNs);
    }

    private void keep() {
        moveLate();
        if (late.isEmpty()) {
            latePart = output.part();
            long settledNs = nowNs + SETTLE_NS;
            long earliestNs = lastNewFileNs + NEW_FILE_DISTANCE_NS;
            lateDueNs = newFileBefore && earliestNs - settledNs > 0 ? earliestNs : settledNs;
        }
        if (late.add(view, message.position())) {
            return;
        }
        beginNextFile();
        if (late.isEmpty() && output.part() != latePart) {
            put();
        } else {
            tally.diskLost(message.position()); // no new file can be made
        }
    }

    private void beginNextFile() {
        if (output.beginNextFile(nowNs)) {
            newFileBefore = true;
            lastNewFileNs = nowNs;
        } else {
            lateDueNs = nowNs + SETTLE_NS;
        }
        moveLate();
    }

    /** Writes messages that waited for a file with their topic, before newer ones. */
    private void moveLate() {
        if (!late.isEmpty() && output.isOpen() && output.part() != latePart) {
            output.append(late.buffer(), 0, late.length(), arrivalNs);
            late.clear();
        }
    }

    /** Begins a new file if topics wait for one. */
    void tick(long now) {
        nowNs = now;
        moveLate();
        if (!late.isEmpty() && now - lateDueNs >= 0) {
            beginNextFile();
        }
    }

    /** Ends the log. */
    void end(long now) {
        nowNs = now;
        moveLate();
        if (!late.isEmpty()) {
            beginNextFile();
        }
        if (!late.isEmpty()) {
            tally.diskLost(late.length());
            late.clear();
        }
    }
}
