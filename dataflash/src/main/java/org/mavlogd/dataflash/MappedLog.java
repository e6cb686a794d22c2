package org.mavlogd.dataflash;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mavlogd.ulog.Field;
import org.mavlogd.ulog.LogLevel;
import org.mavlogd.ulog.TopicFormat;

/**
 * The ULog to which a DataFlash log is mapped: written to a file, or merged with others by a recorder.
 *
 * <p>Called by the mapper's thread in an order that ULog allows, except for late formats.
 */
public interface MappedLog {
    /** An instance of a topic in the log. */
    @FunctionalInterface
    interface Series {
        /**
         * Writes a sample in the layout of its format. Hot path.
         *
         * @param fields valid only during the call
         */
        void sample(byte[] fields, int offset, int length) throws IOException;
    }

    /** Declares a format; false if the log accepts no more, and the topic is omitted. */
    boolean format(TopicFormat format) throws IOException;

    /** Writes a text info of 1 to 65,000 bytes. */
    void info(String name, String text) throws IOException;

    /** Writes an info of a basic type, little endian. */
    void info(Field key, byte[] value) throws IOException;

    /** Writes a text of the list of this name. */
    void multiInfo(String name, String text) throws IOException;

    /** Writes the system default of a parameter; called before its value. */
    void defaultParameter(String name, float value) throws IOException;

    /** Writes the first or a later value of a parameter. */
    void parameter(String name, float value) throws IOException;

    /**
     * Subscribes an instance of a topic whose format was accepted, the first of each topic is 0; null if the log cannot
     * accept it now.
     */
    @Nullable
    Series subscribe(String topic, int multiId) throws IOException;

    /** Writes a message for people; not empty. */
    void text(LogLevel level, long timestampUs, String text) throws IOException;

    /** Writes a sync marker, from which readers can resume after damage. */
    void sync() throws IOException;

    /** Marks a gap of this duration. */
    void dropout(long durationMs) throws IOException;

    /** Marks messages that the vehicle itself dropped since its last report, with their share of the time. */
    default void dropped(long messages, long durationMs) throws IOException {
        dropout(durationMs);
    }
}
