package org.mavlogd.mcap;

import java.io.IOException;

/**
 * Receives what a file holds, in its order. Every method has a default.
 *
 * <p>An exception thrown here ends the reading and reaches the caller.
 */
public interface McapHandler {
    /** A message. The view is reused: valid during the call only. */
    default void onMessage(McapMessageView message) throws IOException {}

    /**
     * Anything but a message; a chunk before what is in it. Schemas and channels come before the messages that need
     * them, and may come again, also from the summary.
     */
    default void onRecord(McapRecord record) throws IOException {}

    /**
     * A record or chunk that cannot be used: a checksum that is wrong, fields that do not fit. Ends the reading, unless
     * overridden: then it continues with the record that follows.
     *
     * @param damage says where it is and what is wrong with it
     */
    default void onDamage(McapException damage) throws IOException {
        throw damage;
    }
}
