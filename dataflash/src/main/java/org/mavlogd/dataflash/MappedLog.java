package org.mavlogd.dataflash;

import java.io.IOException;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;

/**
 * The ULog that a DataFlash log is mapped to: a file's writer, or a recorder that merges it with others.
 *
 * <p>Called by the mapper's thread in an order that ULog allows, but for formats that come late.
 */
public interface MappedLog {
    /** A topic's instance in the log. */
    @FunctionalInterface
    interface Series {
        /**
         * One sample, laid out as its format says. Hot path.
         *
         * @param fields valid during the call only
         */
        void sample(byte[] fields, int offset, int length) throws IOException;
    }

    /** Declares a format; false if the log takes no more: then nothing of the topic comes. */
    boolean format(TopicFormat format) throws IOException;

    /** A text; not empty, at most 65,000 bytes. */
    void info(String name, String text) throws IOException;

    /** A value of a basic type, little endian. */
    void info(Field key, byte[] value) throws IOException;

    /** One text of the list of this name. */
    void multiInfo(String name, String text) throws IOException;

    /** The default of a parameter for all systems of its kind; before its value. */
    void defaultParameter(String name, float value) throws IOException;

    /** A parameter's first value, or a later one. */
    void parameter(String name, float value) throws IOException;

    /** Begins an instance of a topic whose format was taken. The first of each topic is 0. */
    Series subscribe(String topic, int multiId) throws IOException;

    /** A text for people; not empty. */
    void text(LogLevel level, long timestampUs, String text) throws IOException;

    /** Samples may be found again from here on. */
    void sync() throws IOException;

    /** Something is missing here that took this long. */
    void dropout(long durationMs) throws IOException;

    /** The vehicle itself dropped so many messages since it told that last; they have this share of the time. */
    default void dropped(long messages, long durationMs) throws IOException {
        dropout(durationMs);
    }
}
