package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Receives the parts of a log in their order.
 *
 * <p>The buffer belongs to the caller and is only valid during the call. An exception thrown here ends the walk and
 * reaches its caller.
 */
public interface MessageHandler {
    /**
     * The file header, before every message.
     *
     * @param version of the file format, 0 to 255
     * @param startUs when logging started, in microseconds
     */
    default void onHeader(int version, long startUs) throws IOException {}

    /**
     * One complete message.
     *
     * @param type its type byte, 0 to 255; known or not
     * @param offset of the message's header in the buffer
     * @param length of the complete message: header and payload
     */
    void onMessage(int type, byte[] buffer, int offset, int length) throws IOException;
}
