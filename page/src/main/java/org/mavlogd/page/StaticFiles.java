package org.mavlogd.page;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page in our jar. Each is cached when first requested: they are few. Owned by the event loop. */
final class StaticFiles {
    private static final String ROOT = "web/";
    private static final Pattern PATH = Pattern.compile("/([A-Za-z0-9_-]+/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "mjs", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "json", "application/json",
            "webmanifest", "application/manifest+json",
            "woff2", "font/woff2");

    private final Map<String, File> files = new HashMap<>();

    private record File(Buffer content, String type, String tag) {}

    void serve(RoutingContext request) {
        String path = request.request().path();
        File file = path == null ? null : find(path.equals("/") ? "/index.html" : path);
        if (file == null) {
            request.next();
            return;
        }
        HttpServerResponse response = request.response();
        response.putHeader("Content-Type", file.type)
                .putHeader("ETag", file.tag)
                .putHeader("Cache-Control", "no-cache");
        if (file.tag.equals(request.request().getHeader("If-None-Match"))) {
            response.setStatusCode(304).end();
        } else {
            response.end(file.content);
        }
    }

    private @Nullable File find(String path) {
        String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
        if (type == null || !PATH.matcher(path).matches()) {
            return null;
        }
        File known = files.get(path);
        if (known == null) {
            known = load(path, type);
            if (known != null) {
                files.put(path, known);
            }
        }
        return known;
    }

    private static @Nullable File load(String path, String type) {
        try (InputStream in = StaticFiles.class.getResourceAsStream(ROOT + path.substring(1))) {
            if (in == null) {
                return null;
            }
            byte[] content = in.readAllBytes();
            return new File(Buffer.buffer(content), type, '"' + Digests.hex(content) + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
