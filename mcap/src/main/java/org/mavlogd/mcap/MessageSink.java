package org.mavlogd.mcap;

import java.io.IOException;
import java.util.Map;

/**
 * Receives schemas, channels and messages in the order of an MCAP file: {@link McapWriter}, or a connection that shows
 * them.
 */
public interface MessageSink {
    /** Returns the id of the schema, which channels refer to. */
    int addSchema(String name, String encoding, byte[] data) throws IOException;

    /**
     * Returns the id of the channel.
     *
     * @param schemaId of {@link #addSchema}
     */
    int addChannel(String topic, int schemaId, String messageEncoding, Map<String, String> metadata) throws IOException;

    /** Whether anybody wants messages of a channel; if not, they need not be made. */
    default boolean wants(int channelId) {
        return true;
    }

    /**
     * Takes a message; the data are valid during the call only.
     *
     * @param sequence 0 to 2^32 - 1
     * @param logTimeNs unsigned nanoseconds
     * @param publishTimeNs on the same clock
     */
    void message(int channelId, long sequence, long logTimeNs, long publishTimeNs, byte[] data, int offset, int length)
            throws IOException;

    /** Takes named values about the log. */
    void metadata(String name, Map<String, String> values) throws IOException;

    /** Nothing comes any more. */
    void finish() throws IOException;
}
