package org.mavlogd.mcap;

import java.io.IOException;
import java.util.Map;

/**
 * Receives schemas, channels and messages in the order of an MCAP file: a {@link McapWriter}, or a connection to a
 * viewer.
 */
public interface MessageSink {
    /** Adds a schema and returns its id, to which channels refer. */
    int addSchema(String name, String encoding, byte[] data) throws IOException;

    /**
     * Adds a channel and returns its id.
     *
     * @param schemaId from {@link #addSchema}
     */
    int addChannel(String topic, int schemaId, String messageEncoding, Map<String, String> metadata) throws IOException;

    /** Whether the messages of a channel are wanted; otherwise they need not be built. */
    default boolean wants(int channelId) {
        return true;
    }

    /**
     * Takes a message; the data are valid only during the call.
     *
     * @param sequence 0 to 2^32 - 1
     * @param logTimeNs unsigned nanoseconds
     * @param publishTimeNs on the same clock
     */
    void message(int channelId, long sequence, long logTimeNs, long publishTimeNs, byte[] data, int offset, int length)
            throws IOException;

    /** Takes named values about the log. */
    void metadata(String name, Map<String, String> values) throws IOException;

    /** Ends the messages. */
    void finish() throws IOException;
}
