package org.mavlogd.fleet.targets;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The content that is sent under one name.
 *
 * @param file to read; a log or a compressed copy of it
 * @param bytes its length
 * @param contentSha256 its SHA-256, in hexadecimal
 * @param sha256 of the original log, by which the log is recognised
 * @param original name of that log
 * @param key wished name at the target
 * @param type media type, such as application/octet-stream
 * @param throttle limits everything that is read for sending
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
    /** Another name with the content's checksum, because the wished one is taken. */
    String otherKey() {
        int dot = key.lastIndexOf('.');
        int end = dot > key.lastIndexOf('/') ? dot : key.length();
        return key.substring(0, end) + '-' + sha256.substring(0, 8) + key.substring(end);
    }

    /** A part of the file, for its hash. */
    FileSlice unlimitedSlice(long from, long length) throws IOException {
        return new FileSlice(file, from, length, throttle.unlimited());
    }

    /** A part of the file, for sending. */
    FileSlice slice(long from, long length) throws IOException {
        return new FileSlice(file, from, length, throttle);
    }
}
