package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The content that is sent under one name.
 *
 * @param file to read; a log or a compressed copy of it
 * @param bytes of it
 * @param contentSha256 of it, in hexadecimal
 * @param sha256 of the log that it is made of, by which the log is recognised
 * @param original name of that log
 * @param key wished name at the target
 * @param type its kind for servers, such as application/octet-stream
 * @param throttle everything that is read for sending passes through it
 */
public record Shipment(
        Path file,
        long bytes,
        String contentSha256,
        String sha256,
        String original,
        String key,
        String type,
        Throttle throttle) {
    /** Another name, which says whose content it has: its own name is taken by something else. */
    String otherKey() {
        int dot = key.lastIndexOf('.');
        int end = dot > key.lastIndexOf('/') ? dot : key.length();
        return key.substring(0, end) + '-' + sha256.substring(0, 8) + key.substring(end);
    }

    /** A part of the file, for sending. */
    FileSlice slice(long from, long length) throws IOException {
        return new FileSlice(file, from, length, throttle);
    }
}
