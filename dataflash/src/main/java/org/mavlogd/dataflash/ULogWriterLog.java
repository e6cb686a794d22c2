package org.mavlogd.dataflash;

import java.io.IOException;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TimestampPolicy;
import org.mavlogd.ulog.TopicFormat;
import org.mavlogd.ulog.TopicWriter;
import org.mavlogd.ulog.ULogSink;
import org.mavlogd.ulog.ULogWriter;
import org.mavlogd.ulog.WriterSettings;

/** Writes a mapped log to a sink of its own. Closing passes all bytes to the sink, which stays open. */
public final class ULogWriterLog implements MappedLog, AutoCloseable {
    // The mapper writes the sync markers itself: one wild timestamp must not stop them.
    private static final WriterSettings SETTINGS =
            new WriterSettings(WriterSettings.DEFAULT.bufferBytes(), 0, TimestampPolicy.COUNT_AND_KEEP);

    private final ULogWriter writer;
    private boolean hasData;
    private boolean hasDefaults;

    /**
     * Starts a log.
     *
     * @param startUs start of the vehicle's log, in microseconds since its boot
     */
    public ULogWriterLog(ULogSink sink, long startUs) {
        writer = new ULogWriter(sink, startUs, SETTINGS);
    }

    @Override
    public boolean format(TopicFormat format) throws IOException {
        if (hasData) {
            return false;
        }
        writer.format(format);
        return true;
    }

    @Override
    public void info(String name, String text) throws IOException {
        writer.info(name, text);
    }

    @Override
    public void info(Field key, byte[] value) throws IOException {
        writer.info(key, value);
    }

    @Override
    public void multiInfo(String name, String text) throws IOException {
        writer.multiInfo(name, text);
    }

    /** In the data section only if there was one before it: the header must announce that there are any. */
    @Override
    public void defaultParameter(String name, float value) throws IOException {
        if (hasData && !hasDefaults) {
            return;
        }
        hasDefaults = true;
        writer.defaultParameter(ULogWriter.SYSTEM_DEFAULT, name, value);
    }

    @Override
    public void parameter(String name, float value) throws IOException {
        writer.parameter(name, value);
    }

    @Override
    public Series subscribe(String topic, int multiId) throws IOException {
        hasData = true;
        TopicWriter series = writer.subscribe(topic, multiId);
        return series::writeRaw;
    }

    @Override
    public void text(LogLevel level, long timestampUs, String text) throws IOException {
        hasData = true;
        writer.loggedString(level, timestampUs, text);
    }

    @Override
    public void sync() throws IOException {
        if (hasData) {
            writer.sync();
        }
    }

    @Override
    public void dropout(long durationMs) throws IOException {
        if (hasData) {
            writer.dropout(durationMs);
        }
    }

    /** Length of the log so far, in bytes. */
    public long position() {
        return writer.position();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
