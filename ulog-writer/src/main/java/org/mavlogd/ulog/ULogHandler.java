package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Receives the contents of a log, in its order. Every method does nothing unless overridden.
 *
 * <p>An exception thrown here ends the reading and reaches the caller.
 */
public interface ULogHandler {
    /**
     * The file header.
     *
     * @param version of the file format; later ones than known are read as far as they are alike
     * @param startUs when logging started, in microseconds
     */
    default void onStart(int version, long startUs) throws IOException {}

    /**
     * The bytes of a sound message, for those who copy it; the method for its content is called next. The buffer is valid until
     * that returns; the offset is the header's.
     */
    default void onMessage(int type, byte[] buffer, int offset, int length) throws IOException {}

    default void onFlagBits(FlagBits flags) throws IOException {}

    default void onFormat(TopicFormat format) throws IOException {}

    default void onInfo(KeyedValue info) throws IOException {}

    /** One piece of a list by this name; {@code continued}: it belongs to the last piece with the same name. */
    default void onMultiInfo(KeyedValue info, boolean continued) throws IOException {}

    /** A parameter's initial value, or its {@code change} in the data section. */
    default void onParameter(Parameter parameter, boolean change) throws IOException {}

    /** A parameter's default; {@code defaultTypes} is bit 0 for the system, bit 1 for the configuration. */
    default void onDefaultParameter(Parameter parameter, int defaultTypes) throws IOException {}

    default void onTopic(Topic topic) throws IOException {}

    /** The log says that this topic ends; samples that come nevertheless are given. */
    default void onTopicEnd(Topic topic) throws IOException {}

    default void onSample(SampleView sample) throws IOException {}

    default void onLoggedText(LoggedText text) throws IOException {}

    /** Messages were lost for this long. */
    default void onDropout(int durationMs) throws IOException {}

    default void onSync() throws IOException {}

    /** A message of a type not known. The buffer is valid during the call only; the offset is the header's. */
    default void onUnknown(int type, byte[] buffer, int offset, int length) throws IOException {}

    /** A message that is complete but cannot be used: see {@link ScanHandler#onFlawed}. */
    default void onFlawed(ScanHandler.Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
            throws IOException {}

    /** Bytes that are no messages: see {@link ScanHandler#onDamage}. */
    default void onDamage(long position, long length) throws IOException {}

    /** A message begun but not ended: see {@link ScanHandler#onCut}. */
    default void onCut(long position, long length) throws IOException {}

    default void onAppendedSection(long position) throws IOException {}
}
