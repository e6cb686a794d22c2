package org.mavlogd.control;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers with gzip for clients that accept it: metrics shrink to a tenth, which matters over a radio. Any
 * thread.
 */
final class GzipBody {
    /** Shorter answers fit into one packet anyway. */
    static final int MIN_LENGTH = 1400;

    private GzipBody() {}

    static boolean isWanted(HttpHeaders request, String body) {
        return body.length() >= MIN_LENGTH
                && request.getAll(HttpHeaderNames.ACCEPT_ENCODING).stream().anyMatch(GzipBody::acceptsGzip);
    }

    /** RFC 9110, section 12.5.3; of its weights only 0, which excludes, is considered. */
    private static boolean acceptsGzip(String header) {
        for (String choice : header.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = choice.strip().split("\\s*;\\s*", 2);
            if (parts[0].equals("gzip") || parts[0].equals("x-gzip")) {
                return parts.length == 1 || !parts[1].matches("q\\s*=\\s*0(\\.0*)?");
            }
        }
        return false;
    }

    static byte[] of(String body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
            zipped.write(body.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a ByteArrayOutputStream does not fail
        }
        return bytes.toByteArray();
    }
}
