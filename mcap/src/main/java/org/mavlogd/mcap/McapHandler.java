package org.mavlogd.mcap;

import java.io.IOException;

/**
 * Receives the contents of a file in order. Every method has a default.
 *
 * <p>An exception thrown here ends the reading and is passed to the caller.
 */
public interface McapHandler {
    /** A message. The view is reused and valid only during the call. */
    default void onMessage(McapMessageView message) throws IOException {}

    /**
     * Any other record; a chunk precedes its contents. Schemas and channels precede the messages that need them, and
     * may be repeated, also by the summary.
     */
    default void onRecord(McapRecord record) throws IOException {}

    /**
     * A record or chunk that cannot be used, because of a wrong checksum or invalid fields. Ends the reading, unless
     * overridden: then it continues with the next record.
     *
     * @param damage position and reason
     */
    default void onDamage(McapException damage) throws IOException {
        throw damage;
    }
}
