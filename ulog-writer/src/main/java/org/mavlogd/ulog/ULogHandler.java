package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Receives the contents of a log in order. Every method does nothing unless overridden.
 *
 * <p>An exception thrown here ends the reading and is passed to the caller.
 */
public interface ULogHandler {
    /**
     * The file header.
     *
     * @param version of the file format; later versions are read as far as they are compatible
     * @param startUs start of logging, in microseconds
     */
    default void onStart(int version, long startUs) throws IOException {}

    /**
     * The bytes of a valid message, for handlers that copy it; the method for its content is called next. The buffer is
     * valid until that returns; the offset is that of the message's header.
     */
    default void onMessage(int type, byte[] buffer, int offset, int length) throws IOException {}

    default void onFlagBits(FlagBits flags) throws IOException {}

    default void onFormat(TopicFormat format) throws IOException {}

    default void onInfo(KeyedValue info) throws IOException {}

    /** A piece of the list of this name; {@code continued} if it continues the last piece of the same name. */
    default void onMultiInfo(KeyedValue info, boolean continued) throws IOException {}

    /** The initial value of a parameter, or its {@code change} in the data section. */
    default void onParameter(Parameter parameter, boolean change) throws IOException {}

    /** The default value of a parameter; {@code defaultTypes} has bit 0 for the system, bit 1 for the configuration. */
    default void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {}

    default void onTopic(Topic topic) throws IOException {}

    /** The log unsubscribes this topic. Samples that follow nevertheless are still passed on. */
    default void onTopicEnd(Topic topic) throws IOException {}

    default void onSample(SampleView sample) throws IOException {}

    default void onLoggedText(LoggedText text) throws IOException {}

    /** Messages were lost for this duration. */
    default void onDropout(int durationMs) throws IOException {}

    default void onSync() throws IOException {}

    /**
     * A message of an unknown type. The buffer is valid only during the call; the offset is that of the message's
     * header.
     */
    default void onUnknown(int type, byte[] buffer, int offset, int length) throws IOException {}

    /** A complete message that cannot be used: see {@link ScanHandler#onFlawed}. */
    default void onFlawed(ScanHandler.Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
            throws IOException {}

    /** Bytes that are not messages: see {@link ScanHandler#onDamage}. */
    default void onDamage(long position, long length) throws IOException {}

    /** A truncated message: see {@link ScanHandler#onCut}. */
    default void onCut(long position, long length) throws IOException {}

    default void onAppendedSection(long position) throws IOException {}
}
