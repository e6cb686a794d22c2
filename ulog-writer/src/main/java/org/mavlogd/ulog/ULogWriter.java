package org.mavlogd.ulog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Writes a log to a sink, and refuses messages that readers could not read.
 *
 * <p>The constructor writes the header and the flag bits. Formats, infos, parameters and their defaults follow. The
 * first subscription or logged string ends the definitions; formats are refused after it. Breaking a rule throws {@link
 * IllegalStateException} (order) or {@link IllegalArgumentException} (content), which names the message and the rule;
 * nothing of the refused message is written and the writer stays usable. An {@link IOException} comes from the sink:
 * the end of the log is unknown then, and the writer refuses further messages.
 *
 * <p>Samples are written through the {@link TopicWriter} that a subscription returns. Samples, strings, dropouts and
 * sync markers allocate nothing. Closing passes all buffered bytes to the sink, and leaves the sink open. Owned by one
 * thread.
 *
 * <pre>{@code
 * ULogWriter log = new ULogWriter(sink, startUs, WriterSettings.DEFAULT);
 * log.format(TopicFormat.parse("cpu:uint64_t timestamp;float load;"));
 * TopicWriter cpu = log.subscribe("cpu", 0);
 * cpu.begin(timestampUs).float32(cpu.column("load"), 0.5f).write();
 * log.close();
 * }</pre>
 *
 * @see <a href="https://docs.px4.io/main/en/dev_log/ulog_file_format.html">ULog file format</a>
 */
public final class ULogWriter implements Closeable {
    /** Default type of {@link #defaultParameter}: the value applies to every system of this kind. */
    public static final int SYSTEM_DEFAULT = 1;

    /** Default type of {@link #defaultParameter}: the value applies to this configuration, such as an airframe. */
    public static final int CONFIGURATION_DEFAULT = 2;

    private final WriterSettings settings;
    private final MessageBuffer log;
    private final Map<String, TopicFormat> formats = new HashMap<>();
    private final Set<String> infos = new HashSet<>();
    private final Set<String> parameters = new HashSet<>();
    private final Set<String> subscriptions = new HashSet<>();

    private boolean dataSection;
    private boolean defaultsFlagged;
    private int nextMessageId;
    private long nextSyncUs;
    private long backwardTimestamps;

    /**
     * Starts a log.
     *
     * @param startUs start of logging, in microseconds of the clock of the samples
     */
    public ULogWriter(ULogSink sink, long startUs, WriterSettings settings) {
        this.settings = settings;
        this.nextSyncUs = settings.syncIntervalUs() > 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        this.log = new MessageBuffer(sink, settings.bufferBytes());
        ByteBuffer target = log.start();
        MessageEncoder.header(target, startUs);
        MessageEncoder.flagBits(target, 0);
    }

    /** Declares a format. Formats that it nests may be declared later, but before the first topic that needs them. */
    public void format(TopicFormat format) throws IOException {
        requireDefinitions("'F' message \"" + format.name() + "\"");
        WriterRules.checkFormat(format);
        WriterRules.require(
                !formats.containsKey(format.name()), "'F' message", format.name(), "a format is declared once");
        String text = format.text();
        WriterRules.require(
                text.length() <= ULogLayout.MAX_MESSAGE_SIZE, "'F' message", format.name(), "at most 65535 bytes");
        MessageEncoder.format(log.room(ULogLayout.MESSAGE_HEADER_LENGTH + text.length()), text);
        formats.put(format.name(), format);
    }

    /** Writes a text info of 1 to 65,000 bytes; for longer texts use {@link #multiInfo}. */
    public void info(String name, String text) throws IOException {
        WriterRules.checkText("'I' message", name, text, 65_000);
        MessageEncoder.infoText(beginInfo(name), name, text);
        infos.add(name);
    }

    /** Writes an int32_t info. */
    public void info(String name, int value) throws IOException {
        MessageEncoder.infoInt32(beginInfo(name), name, value);
        infos.add(name);
    }

    /**
     * Writes an info of any basic type. {@code key} is for example {@code uint8_t[3] serial}; the value must have
     * exactly its length.
     */
    public void info(Field key, byte[] value) throws IOException {
        WriterRules.checkKeyType("'I' message", key, value.length);
        MessageEncoder.info(beginInfo(key.name()), key.text(), value, 0, value.length);
        infos.add(key.name());
    }

    /** Writes a uint32_t info; {@code value} is 0 to 4294967295. */
    public void infoUint32(String name, long value) throws IOException {
        WriterRules.require(value >= 0 && value <= 0xFFFF_FFFFL, "'I' message", name, "a uint32_t is 0 to 4294967295");
        MessageEncoder.infoUint32(beginInfo(name), name, value);
        infos.add(name);
    }

    /** Writes one text of the list of this name, split into as many messages as it needs. */
    public void multiInfo(String name, String text) throws IOException {
        log.requireOpen();
        WriterRules.checkKeyName("'M' message", name);
        WriterRules.require(!text.isEmpty(), "'M' message", name, "a text is not empty");
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length;
        for (int at = 0; at < utf8.length; at += length) {
            length = MessageEncoder.multiInfoPiece(name, utf8, at);
            MessageEncoder.multiInfoText(log.room(ULogLayout.MAX_MESSAGE_LENGTH), at > 0, name, utf8, at, length);
        }
    }

    /** Writes an int32_t parameter: once before the data section as initial value, after that as change. */
    public void parameter(String name, int value) throws IOException {
        MessageEncoder.parameterInt32(beginParameter(name), name, value);
        parameters.add(name);
    }

    /** Writes a float parameter, like {@link #parameter(String, int)}. */
    public void parameter(String name, float value) throws IOException {
        MessageEncoder.parameterFloat(beginParameter(name), name, value);
        parameters.add(name);
    }

    /**
     * Writes the default value of a parameter, and sets the compatible flag for defaults. Call it before the parameter
     * itself is written.
     *
     * @param defaultTypes {@link #SYSTEM_DEFAULT}, {@link #CONFIGURATION_DEFAULT} or both
     * @throws IllegalStateException if the flag bits have already been passed to the sink and the sink cannot be
     *     patched
     */
    public void defaultParameter(int defaultTypes, String name, int value) throws IOException {
        MessageEncoder.defaultParameterInt32(beginDefaultParameter(defaultTypes, name), defaultTypes, name, value);
    }

    /** Writes a default value of type float, like {@link #defaultParameter(int, String, int)}. */
    public void defaultParameter(int defaultTypes, String name, float value) throws IOException {
        MessageEncoder.defaultParameterFloat(beginDefaultParameter(defaultTypes, name), defaultTypes, name, value);
    }

    /**
     * Subscribes a topic with the next free message id. The first subscription ends the definitions.
     *
     * @param multiId instance of the topic, 0 to 255; instance 0 must be subscribed first
     */
    public TopicWriter subscribe(String formatName, int multiId) throws IOException {
        log.requireOpen();
        String message = "'A' message";
        TopicFormat format = formats.get(formatName);
        if (format == null) {
            throw new IllegalArgumentException(message + " \"" + formatName + "\": its format is declared before");
        }
        TopicLayout layout = WriterRules.checkTopic(format, formats);
        WriterRules.require(
                multiId >= 0 && multiId <= ULogLayout.MAX_MULTI_ID, message, formatName, "multi id is 0 to 255");
        WriterRules.require(
                multiId == 0 || subscriptions.contains(formatName + ":0"),
                message,
                formatName,
                "the first multi id is 0");
        String instance = formatName + ":" + multiId;
        WriterRules.require(!subscriptions.contains(instance), message, instance, "an instance is subscribed once");
        if (nextMessageId > ULogLayout.MAX_MESSAGE_ID) {
            throw new IllegalStateException(message + " \"" + instance + "\": all 65536 message ids are used");
        }
        MessageEncoder.subscription(
                log.room(ULogLayout.MESSAGE_HEADER_LENGTH + ULogLayout.SUBSCRIPTION_HEADER_SIZE + formatName.length()),
                multiId,
                nextMessageId,
                formatName);
        subscriptions.add(instance);
        dataSection = true;
        return new TopicWriter(this, layout, nextMessageId++);
    }

    /** Ends a topic: its {@link TopicWriter} refuses further samples, and its id is not used again. */
    public void unsubscribe(TopicWriter topic) throws IOException {
        log.requireOpen();
        topic.requireWriter(this);
        MessageEncoder.unsubscription(log.room(ULogLayout.MESSAGE_HEADER_LENGTH + 2), topic.messageId());
        topic.end();
    }

    /** Writes a logged string of 1 to 65,000 bytes. Ends the definitions. */
    public void loggedString(LogLevel level, long timestampUs, CharSequence text) throws IOException {
        log.requireOpen();
        WriterRules.checkLogged("'L' message", text);
        MessageEncoder.loggedString(log.room(ULogLayout.MAX_MESSAGE_LENGTH), level, timestampUs, text);
        dataSection = true;
    }

    /** Writes a logged string with the tag of its source, 0 to 65535, like {@link #loggedString}. */
    public void taggedString(LogLevel level, int tag, long timestampUs, CharSequence text) throws IOException {
        log.requireOpen();
        WriterRules.checkLogged("'C' message", text);
        MessageEncoder.taggedString(log.room(ULogLayout.MAX_MESSAGE_LENGTH), level, tag, timestampUs, text);
        dataSection = true;
    }

    /** Records that messages were lost for this duration, in as many dropout messages as it needs. */
    public void dropout(long durationMs) throws IOException {
        requireData("'O' message");
        WriterRules.require(durationMs >= 0, "'O' message", durationMs + " ms", "a duration is not negative");
        for (long left = durationMs, part; left >= 0; left = part == left ? -1 : left - part) {
            part = Math.min(left, ULogLayout.MAX_DROPOUT_MS);
            MessageEncoder.dropouts(log.room(MessageEncoder.DROPOUT_LENGTH), part);
        }
    }

    /** Writes a sync marker now, in addition to those of the interval. */
    public void sync() throws IOException {
        requireData("'S' message");
        MessageEncoder.sync(log.room(MessageEncoder.SYNC_LENGTH));
    }

    /** Length of the log so far in bytes, including those not passed to the sink yet. */
    public long position() {
        return log.position();
    }

    /** Number of samples that were older than the previous sample of their topic, and were written. */
    public long backwardTimestamps() {
        return backwardTimestamps;
    }

    /** Passes all buffered bytes to the sink. */
    public void flush() throws IOException {
        log.requireOpen();
        log.drain();
    }

    /** Flushes; the sink stays open. */
    @Override
    public void close() throws IOException {
        log.close();
    }

    MessageBuffer buffer() {
        return log;
    }

    /**
     * Earliest timestamp of a sample for which {@link #onTime} must be called before the sample is written. Hot path.
     */
    long nextSyncUs() {
        return nextSyncUs;
    }

    /** Called before a sample that is due for a sync marker or older than the previous one of its topic. */
    void onTime(TopicWriter topic, long timestampUs) throws IOException {
        log.requireOpen();
        if (timestampUs < topic.lastTimestampUs()) {
            onBackwards(topic, timestampUs);
        }
        if (timestampUs >= nextSyncUs && settings.syncIntervalUs() > 0) {
            markTime(timestampUs);
        }
    }

    private void onBackwards(TopicWriter topic, long timestampUs) {
        if (settings.timestampPolicy() == TimestampPolicy.REFUSE) {
            throw new IllegalArgumentException("'D' message \"" + topic.layout().name() + "\": timestamp " + timestampUs
                    + " us is before " + topic.lastTimestampUs() + " us: timestamps of a series do not run backwards");
        }
        backwardTimestamps++;
    }

    /** The first sample only starts the sync interval. */
    private void markTime(long timestampUs) throws IOException {
        if (nextSyncUs != Long.MIN_VALUE) {
            MessageEncoder.sync(log.room(MessageEncoder.SYNC_LENGTH));
        }
        nextSyncUs = timestampUs + settings.syncIntervalUs();
    }

    private ByteBuffer beginInfo(String name) throws IOException {
        log.requireOpen();
        WriterRules.checkKeyName("'I' message", name);
        WriterRules.require(!infos.contains(name), "'I' message", name, "a key is given once");
        return log.room(ULogLayout.MAX_MESSAGE_LENGTH);
    }

    private ByteBuffer beginParameter(String name) throws IOException {
        log.requireOpen();
        WriterRules.checkKeyName("'P' message", name);
        WriterRules.require(
                dataSection || !parameters.contains(name), "'P' message", name, "an initial value is given once");
        return log.room(ULogLayout.MAX_MESSAGE_LENGTH);
    }

    private ByteBuffer beginDefaultParameter(int defaultTypes, String name) throws IOException {
        log.requireOpen();
        WriterRules.checkKeyName("'Q' message", name);
        WriterRules.require(
                defaultTypes >= 1 && defaultTypes <= 3, "'Q' message", name, "default types are 1, 2 or both");
        flagDefaults();
        return log.room(ULogLayout.MAX_MESSAGE_LENGTH);
    }

    private void flagDefaults() throws IOException {
        if (defaultsFlagged) {
            return;
        }
        if (!log.flag(ULogLayout.COMPAT_DEFAULT_PARAMETERS)) {
            throw new IllegalStateException("'Q' message: the flag bits, which must announce it, have been written;"
                    + " give the first default earlier or use a sink that can be patched");
        }
        defaultsFlagged = true;
    }

    private void requireDefinitions(String message) {
        log.requireOpen();
        if (dataSection) {
            throw new IllegalStateException(
                    message + ": definitions end with the first subscription or logged string; formats come before");
        }
    }

    private void requireData(String message) {
        log.requireOpen();
        if (!dataSection) {
            throw new IllegalStateException(message + ": belongs into the data section, after the first subscription");
        }
    }
}
