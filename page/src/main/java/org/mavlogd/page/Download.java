package org.mavlogd.page;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mavlogd.page.Catalogue.Entry;
import org.mavlogd.page.export.BrowserStream;

/**
 * Sends the bytes of a log, all or one range, with its current size.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-range-requests">RFC 9110, section 14</a>
 */
final class Download {
    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,18})-([0-9]{0,18})");

    private Download() {}

    /** Bytes from {@code first} to before {@code end}. */
    private record Part(long first, long end) {}

    static void send(RoutingContext request, Entry log) {
        HttpServerResponse response = request.response();
        String tag = '"' + Long.toHexString(log.modifiedMs()) + "-" + Long.toHexString(log.bytes()) + '"';
        response.putHeader("Content-Type", "application/octet-stream")
                .putHeader("Content-Disposition", BrowserStream.disposition(log.name()))
                .putHeader("Accept-Ranges", "bytes")
                .putHeader("Cache-Control", "no-cache")
                .putHeader("ETag", tag)
                // No compression: ranges are those of the file.
                .putHeader("Content-Encoding", "identity");
        if (tag.equals(request.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
            return;
        }
        String ifRange = request.request().getHeader("If-Range");
        String range = request.request().getHeader("Range");
        Optional<Matcher> asked = Optional.ofNullable(range)
                .filter(text -> ifRange == null || ifRange.equals(tag))
                .map(text -> RANGE.matcher(text.replace(" ", "")))
                .filter(Matcher::matches)
                .filter(matcher -> !(matcher.group(1) + matcher.group(2)).isEmpty());
        send(request, log, asked);
    }

    private static void send(RoutingContext request, Entry log, Optional<Matcher> asked) {
        HttpServerResponse response = request.response();
        Part part = asked.map(matcher -> part(matcher.group(1), matcher.group(2), log.bytes()))
                .orElse(new Part(0, log.bytes()));
        if (asked.isPresent() && part.first >= part.end) {
            response.putHeader("Content-Range", "bytes */" + log.bytes());
            response.headers().remove("Content-Encoding");
            throw new Problem(416, "the log has " + log.bytes() + " bytes, none of them in this range");
        }
        if (asked.isPresent()) {
            response.setStatusCode(206)
                    .putHeader("Content-Range", "bytes " + part.first + "-" + (part.end - 1) + "/" + log.bytes());
        }
        long length = part.end - part.first;
        response.putHeader("Content-Length", Long.toString(length));
        if (request.request().method().equals(HttpMethod.HEAD) || length == 0) {
            response.end();
        } else {
            response.sendFile(log.file().toAbsolutePath().toString(), part.first, length)
                    .onFailure(failure -> request.request().connection().close());
        }
    }

    private static Part part(String first, String last, long bytes) {
        if (first.isEmpty()) {
            return new Part(Math.max(0, bytes - Long.parseLong(last)), bytes);
        }
        long end = last.isEmpty() ? bytes : Math.min(bytes, Long.parseLong(last) + 1);
        return new Part(Long.parseLong(first), end);
    }
}
