package org.mavlogd.dataflash;

import java.io.IOException;

/** Receives what a {@link DataFlashDecoder} finds. An exception thrown here ends the decoding and reaches the caller. */
public interface RecordHandler {
    /**
     * A whole record of a declared type, definitions included. Hot path.
     *
     * @param buffer valid during the call only
     * @param offset of the record's header; {@link RecordType#length()} bytes from there
     */
    void onRecord(RecordType type, byte[] buffer, int offset) throws IOException;

    /** Bytes that are no records, or of a record that something broke. */
    default void onDamage(long position, long length) throws IOException {}

    /** A record begun but not ended when the log ended. */
    default void onCut(long position, long length) throws IOException {}

    /** A record of a type that was not declared until the end, or until there was no room left to wait. */
    default void onUndeclared(int type, long position, int length) throws IOException {}
}
