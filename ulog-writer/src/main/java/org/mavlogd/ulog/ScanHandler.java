package org.mavlogd.ulog;

import java.io.IOException;

/** Receives what a scan finds: sound messages through {@link #onMessage}, and everything else by its kind. */
public interface ScanHandler extends MessageHandler {
    /** Why a message is not sound though it lies between sound ones. */
    enum Flaw {
        /** A data message whose id no subscription before it has named, or whose format cannot be laid out. */
        NO_TOPIC,
        /** A known type whose size or content is not as specified. */
        NOT_AS_SPECIFIED,
        /** A type that the specification does not name. */
        UNKNOWN_TYPE
    }

    /**
     * A message that lies in its place but cannot be used. It is complete: its bytes are as they were written.
     *
     * @param position in the log, where it begins
     */
    default void onFlawed(Flaw flaw, long position, int type, byte[] buffer, int offset, int length)
            throws IOException {}

    /** Bytes between sound messages that are none, or whose content cannot be trusted. */
    default void onDamage(long position, long length) throws IOException {}

    /** The start of a message whose rest is missing: the log, or what was written before appended data, ends here. */
    default void onCut(long position, long length) throws IOException {}

    /** An appended section begins here. */
    default void onAppendedSection(long position) throws IOException {}
}
