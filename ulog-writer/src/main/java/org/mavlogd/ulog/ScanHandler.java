package org.mavlogd.ulog;

import java.io.IOException;

/** Receives the results of a scan: valid messages through {@link #onMessage}, everything else by its kind. */
public interface ScanHandler extends MessageHandler {
    /** The reason why a complete message cannot be used. */
    enum Flaw {
        /** A data message whose id has not been subscribed, or whose format cannot be laid out. */
        NO_TOPIC,
        /** A known type whose size or content is not as specified. */
        NOT_AS_SPECIFIED,
        /** A type that the specification does not define. */
        UNKNOWN_TYPE
    }

    /**
     * A complete message that cannot be used; its bytes are as they were written.
     *
     * @param position of the message in the log
     */
    default void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
            throws IOException {}

    /** Bytes between valid messages that are not messages, or whose contents cannot be trusted. */
    default void onDamage(long position, long length) throws IOException {}

    /** The start of a message whose rest is missing, at the end of the log or before an appended section. */
    default void onCut(long position, long length) throws IOException {}

    /** An appended section begins here. */
    default void onAppendedSection(long position) throws IOException {}
}
