package org.mavlogd.ulog;

import java.io.IOException;

/**
 * Receives the header and the messages of a log in order.
 *
 * <p>The buffer belongs to the caller and is valid only during the call. An exception thrown here ends the walk and is
 * passed to its caller.
 */
public interface MessageHandler {
    /**
     * The file header, before every message.
     * @param version of the file format, 0 to 255
     * @param startUs start of logging, in microseconds
     * @param startUs when logging started, in microseconds
     */
    default void onHeader(int version, long startUs) throws IOException {}

    /**
     * One complete message.
     *
     * @param type type byte, 0 to 255, including unknown types
     * @param offset of the message's header in the buffer
     * @param length of the message in bytes, header and payload
     */
    void onMessage(int type, byte[] buffer, int offset, int length) throws IOException;
}
